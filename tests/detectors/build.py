"""Small traces made by hand: only what a test is about has to be said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lossdoctor.detectors.base import Missing
from lossdoctor.detectors.catalogue import apply, detectors
from lossdoctor.model import Finding, Optimizer, Parameter, Site, Step, Trace

SITES = (
    Site(id=0, what="optimizer", file="/project/train.py", line=10, code="opt = Adam(model.parameters())"),
    Site(id=1, what="loss", file="/project/train.py", line=20, code="loss = criterion(model(x), y)"),
    Site(id=2, what="backward", file="/project/train.py", line=21, code="loss.backward()"),
    Site(id=3, what="step", file="/project/train.py", line=22, code="opt.step()"),
    Site(id=4, what="zero_grad", file="/project/train.py", line=19, code="opt.zero_grad()"),
    Site(id=5, what="loader", file="/project/train.py", line=5, code="loader = DataLoader(data, 32)"),
)
TIMES = {"data": 1e-4, "fwd": 1e-3, "bwd": 1e-3, "step": 1e-3, "hook": 0.0, "total": 4e-3}


def falling(count: int = 100, start: float = 2.3, end: float = 0.3) -> list[float]:
    """A loss that falls geometrically from ``start`` to ``end``."""
    return [start * (end / start) ** (k / max(1, count - 1)) for k in range(count)]


def flat(count: int = 100, level: float = 2.3, noise: float = 0.01) -> list[float]:
    """A loss that does not move, with an alternating disturbance."""
    return [level + noise * (-1) ** k for k in range(count)]


def step(i: int, loss: float | None = None, **more: Any) -> Step:
    """An ordinary step of optimizer 0: one backward pass, cleared before, gradient norm 1."""
    given: dict[str, Any] = {
        "i": i, "optimizer": 0, "t": 0.01 * i, "lr": (1e-3,), "grad_norm": 1.0, "backwards": 1, "zeroed": 1,
        "training": True, "sequence": "ZFBS", "time": TIMES,
    }  # fmt: skip
    if loss is not None:
        given |= {"losses": (loss,), "loss_sites": (2,), "loss_values": (loss,)}
    return Step(**(given | more))


def steps_of(losses: Iterable[float], **more: Any) -> tuple[Step, ...]:
    """Ordinary steps 1, 2, ... with these losses, all with the same further fields."""
    return tuple(step(i, value, **more) for i, value in enumerate(losses, 1))


def parameter(number: int = 0, name: str = "0.weight", **more: Any) -> Parameter:
    """A trainable matrix of a Linear layer, held by optimizer 0 and used in the forward pass."""
    given: dict[str, Any] = {
        "id": number, "name": name, "shape": (8, 8), "dtype": "float32", "requires_grad": True,
        "optimizers": (0,), "module": "Linear", "used": True, "std": 0.1, "numel": 64,
    }  # fmt: skip
    return Parameter(**(given | more))


def optimizer(number: int = 0, cls: str = "Adam", **more: Any) -> Optimizer:
    """An optimizer with one group, made on the line of site 0 before the first step."""
    given: dict[str, Any] = {"id": number, "cls": cls, "step": 0, "site": 0, "groups": ({"lr": 1e-3},)}
    return Optimizer(**(given | more))


def loss_row(i: int = 1, fn: str = "cross_entropy", **more: Any) -> dict[str, Any]:
    """A call of a loss function on raw scores of four balanced classes."""
    row = {
        "k": "loss", "i": i, "fn": fn, "site": 1, "maker": ["Addmm"], "reduction": "mean", "weighted": False,
        "smoothing": 0.0, "rows": {"min": -1.0, "sum": 3.0, "logsum": 2.0}, "value": 1.39,
        "in": {"shape": [32, 4], "dtype": "float32", "bad": 0.0, "min": -1.0, "max": 1.0, "mean": 0.0,
               "std": 0.5, "zeros": 0.0},
        "target": {"shape": [32], "dtype": "int64", "min": 0, "max": 3, "distinct": 4,
                   "hist": {"0": 8, "1": 8, "2": 8, "3": 8}},
    }  # fmt: skip
    return row | more


def tensor_row(path: str = "0", **more: Any) -> dict[str, Any]:
    """Statistics of an ordinary float tensor."""
    row = {"path": path, "shape": [32, 8], "dtype": "float32", "bad": 0.0, "min": -3.0, "max": 3.0,
           "mean": 0.0, "std": 1.0, "zeros": 0.0}  # fmt: skip
    return row | more


def batch_row(i: int = 1, **more: Any) -> dict[str, Any]:
    """A batch from loader 0 with one ordinary tensor."""
    row = {"k": "batch", "loader": 0, "n": i, "epoch": 1, "i": i, "wait": 1e-4, "print": float(i),
           "tensors": [tensor_row()]}  # fmt: skip
    return row | more


def loader_row(**more: Any) -> dict[str, Any]:
    """A shuffled DataLoader over 320 in-memory samples."""
    row = {"k": "loader", "id": 0, "site": 5, "dataset": "TensorDataset", "len": 320, "batch_size": 32,
           "sampler": "RandomSampler", "workers": 0, "generator_seeded": False, "getter": None,
           "drop_last": False, "pin": False, "prefetch": None}  # fmt: skip
    return row | more


def act_row(i: int = 1, name: str = "1", cls: str = "ReLU", **more: Any) -> dict[str, Any]:
    """Activations of a living rectifier."""
    row = {"k": "act", "i": i, "name": name, "class": cls, "mean": 0.4, "std": 0.6, "max": 3.0, "zeros": 0.5,
           "dead": 0.1}  # fmt: skip
    return row | more


def forward_row(i: int = 1, **more: Any) -> dict[str, Any]:
    """A training call of the model."""
    row = {"k": "forward", "i": i, "module": "Sequential", "grad": True, "training": True, "loader": 0,
           "frozen_mode": False, "autocast": None, "in": [tensor_row()], "out": [tensor_row("")]}  # fmt: skip
    return row | more


def eval_row(i: int = 10, **more: Any) -> dict[str, Any]:
    """An evaluation pass of four batches in eval mode."""
    row = {"k": "eval", "i": i, "modes": {"eval": 4}, "loss": [0.5] * 4, "acc": [0.8] * 4, "n": [32] * 4,
           "root": "Sequential", "twin": None, "loader": 1, "t": 0.1}  # fmt: skip
    return row | more


def print_row(i: int = 10, line: str | None = None, **values: float) -> dict[str, Any]:
    """A line that the script printed, with its named numbers."""
    text = line or " ".join(f"{name} {value}" for name, value in values.items())
    return {"k": "print", "i": i, "v": {n.replace("_", " "): v for n, v in values.items()}, "line": text}


def make_trace(
    losses: Sequence[float] | None = None,
    *,
    steps: Sequence[Step] | None = None,
    parameters: Sequence[Parameter] | None = None,
    optimizers: Sequence[Optimizer] | None = None,
    sites: Sequence[Site] = SITES,
    rows: Sequence[dict[str, Any]] = (),
    stop: str = "script_end",
    **more: Any,
) -> Trace:
    """A trace of an ordinary healthy run, except for what is given.

    ``losses`` become ordinary steps; ``rows`` are the other records, in order, each with its kind in ``k``.
    """
    made = steps if steps is not None else steps_of(falling() if losses is None else losses)
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        kinds.setdefault(row["k"], []).append(row)
    given: dict[str, Any] = {
        "steps": tuple(made),
        "parameters": tuple([parameter()] if parameters is None else parameters),
        "optimizers": tuple([optimizer()] if optimizers is None else optimizers),
        "sites": tuple(sites), "rows": {kind: tuple(found) for kind, found in kinds.items()},
        "start": {"k": "start", "torch": "2.13.0", "cuda": False},
        "end": {"k": "end", "stop": stop, "steps": len(made), "t": 1.0, "counters": {}},
    }  # fmt: skip
    return Trace(**(given | more))


def run(fault: str, trace: Trace) -> Finding | Missing | None:
    """What the detector of ``fault`` says about a trace, its needs checked first as in a diagnosis."""
    return apply(detectors()[fault], trace)


def expect(fault: str, trace: Trace) -> Finding:
    """The finding that the detector must make."""
    outcome = run(fault, trace)
    assert isinstance(outcome, Finding), f"{fault}: {outcome}"
    assert outcome.fault == fault
    return outcome
