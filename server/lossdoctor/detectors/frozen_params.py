"""# frozen_params: parameters with requires_grad=False that should train

**What it is.** Layers that were never trained are frozen: a freezing loop that catches too much, a flag in the
configuration, a thaw that is scheduled after the end of the run.

**Signal.** Parameters of modules that ran, with `requires_grad=False` from the first step to the last, not loaded
from a checkpoint, whose values still are those of a fresh initialisation: all within the uniform range that torch
draws from for this layer, and filling it (training moves some of them out of it), or standard normal for an
embedding. Frozen weights of torch's own layers with other values, a tenth of the model and more, are looked at where
the run hardly learns, and those of a checkpoint where it learns less than a third. A parameter group of its own in an
optimizer that never required a gradient counts, too; copies of a trained model (targets, momentum encoders) do not.

**Why it matters.** The rest of the network learns on random features: the loss falls, only not far.

**Remedy.** `requires_grad_(True)` for whatever does not hold trained values, before the optimizer is built.

**When it stays silent.** Layers whose values were loaded, or were trained earlier in the run; normalisation layers;
parameters that are thawed and trained later; constants and fixed tables in parameters of user-defined modules.
Frozen values of unknown origin, or beside others that were trained, are *tested* and reported only when training
them helps.

**Confirming intervention.** `unfreeze`: all parameters require gradients and are in the optimizer, same seed.

**References.** PyTorch documentation, `torch.nn.Linear`, `Conv2d`, `LSTM`, `Embedding` ("Variables": the initial
distributions); He et al., "Delving deep into rectifiers" (2015).
"""

from __future__ import annotations

import math

from ..model import Evidence, Finding, Parameter, Site, Trace
from ..traces.progress import fitted
from ..traces.wiring import elements, listed, with_gradient
from ._evidence import loss_span
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="frozen_params",
    severity="critical",
    sheet="training-loop-architecture#frozen-and-fine-tuned",
    summary="Freeze only what holds trained values; what was initialised at random must train.",
    remedy="Set requires_grad=True on the named parameters before the optimizer is built, or load trained values.",
    needs=("moving_steps",),
    interventions=({"name": "unfreeze"},),
    contraindications=("Training longer or a higher rate does not reach frozen parameters.",),
)

MIN_ELEMENTS = 12  # fewer values do not show what they were drawn from
MIN_SHARE = 0.02  # of the elements of the modules that ran: less than that is a detail of the architecture
SUBSTANTIAL = 0.1  # the same for weights whose values are not those of a known initialisation
# fit below which weights that were loaded and frozen are tested, too; held-out answers must gain much to prove them
HARDLY = 0.3
POOR = 0.5  # fit of the training data above which such frozen weights are left alone
# A uniform sample of n values comes within a share of about 1/n of its bound: P(largest < (1 - 5/n) bound) = e^-5.
FILL = 5.0
RECURRENT = frozenset({"LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"})
NORMS = ("BatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm", "RMSNorm", "SyncBatchNorm")


def check(trace: Trace) -> Finding | None:
    fed = with_gradient(trace)
    trained = {_place(p) for p in trace.parameters if p.requires_grad}
    frozen = [p for p in trace.parameters if _frozen(p) and p.id not in fed and _place(p) not in trained]
    fresh = [p for p in frozen if untrained(p)]
    total = elements([p for p in trace.parameters if p.used])
    if not any(p.requires_grad for p in trace.parameters):
        return None
    handed = _handed_over(trace)
    if handed is not None:
        return handed
    if not fresh or elements(fresh) < MIN_SHARE * total:
        loaded = [
            p for p in trace.parameters if p.used and p.loaded and not p.requires_grad and p.id not in fed
        ]
        return _beside(trace, frozen, total, POOR) or _beside(trace, loaded, total, HARDLY)
    sure = all(p.loaded or untrained(p) for p in frozen if len(p.shape) > 1)
    first = next((p for p in fresh if p.module != "Embedding"), fresh[0])
    return found(
        RULE,
        0.75 if sure else TENTATIVE,
        f"{listed(fresh)} never required a gradient, yet their values are those of a fresh initialisation.",
        Evidence(quantity="frozen, untrained parameters of modules that ran", value=len(fresh), unit="tensors",
                 where=listed(fresh)),
        Evidence(quantity="share of the elements in use", value=rounded(elements(fresh) / total)),
        Evidence(quantity=f"largest magnitude in {first.name}, and the bound of its initialisation",
                 value=f"{rounded(first.largest)} of {rounded(bound(first) or 0.0)}"),
        where=at(trace.site("freeze"), parameter=first.name),
    )  # fmt: skip


def _handed_over(trace: Trace) -> Finding | None:
    """A group of its own in an optimizer, of which no tensor ever required a gradient: it was meant to train."""
    for optimizer in trace.optimizers:
        whole = [n for n, frozen in zip(optimizer.sizes, optimizer.frozen, strict=False) if n and frozen == n]
        fed = _moving(trace, optimizer.id)
        if (
            whole
            and len(optimizer.sizes) > 1
            and 0 < len(fed) <= sum(optimizer.sizes) - sum(optimizer.frozen)
        ):
            return found(
                RULE,
                0.85,
                f"A parameter group of {max(whole)} tensors was handed to the optimizer, but none requires a gradient.",
                Evidence(quantity="tensors in groups without any gradient", value=sum(whole), threshold=0),
                Evidence(quantity="tensors of that optimizer with a gradient", value=len(fed)),
                loss_span(trace),
                where=at(site_by_id(trace, optimizer.site)),
            )
    return None


def _moving(trace: Trace, optimizer: int) -> list[int]:
    """Parameters whose gradient changes in the steps of an optimizer: what stays the same is left from earlier."""
    norms: dict[int, set[float]] = {}
    for k, norm in (pair for s in trace.steps if s.optimizer == optimizer for pair in s.grads.items()):
        norms.setdefault(k, set()).add(norm)
    return [k for k, seen in norms.items() if len(seen) > 1]


def _beside(trace: Trace, parameters: list[Parameter], total: int, most: float) -> Finding | None:
    """Frozen weights of unknown origin, or from a checkpoint, in a run whose fit is ``most`` at most: worth a test."""
    frozen = [p for p in parameters if len(p.shape) > 1 and _of_torch(p)]
    share, reached = elements(frozen) / max(1, total), fitted(trace)
    if share < SUBSTANTIAL or reached is None or reached > most:
        return None
    return found(
        RULE,
        TENTATIVE,
        f"{listed(frozen)} never required a gradient, and the rest hardly learns.",
        Evidence(quantity="share of the elements in use", value=rounded(share), where=listed(frozen)),
        Evidence(quantity="fit of the training data (0 constant answer, 1 perfect)", value=rounded(reached)),
        where=at(trace.site("freeze") or _read_whole(trace, frozen[0]), parameter=frozen[0].name),
    )


def _read_whole(trace: Trace, parameter: Parameter) -> Site | None:
    """The line that reads a model from a file, where the script neither made nor filled this parameter itself: what
    requires no gradient was stored so.
    """
    return trace.site("read") if parameter.drawn is False and not parameter.loaded else None


def _frozen(parameter: Parameter) -> bool:
    norm = (parameter.module or "").startswith(NORMS)
    return parameter.used and not parameter.requires_grad and not parameter.loaded and not norm


def _place(parameter: Parameter) -> tuple[str, tuple[int, ...]]:
    """Name without that of the model, and shape: copies of a trained model (targets, momentum encoders) share it."""
    return parameter.name.partition(".")[2] or parameter.name, parameter.shape


def _of_torch(parameter: Parameter) -> bool:
    """Whether it is a weight of one of torch's own layers (fixed tables sit in modules of one's own)."""
    cls = parameter.module or ""
    return (
        cls in RECURRENT
        or cls in ("Linear", "Bilinear", "Embedding", "EmbeddingBag")
        or cls.startswith("Conv")
    )


def untrained(parameter: Parameter) -> bool:
    """Whether the values look like those that torch's own layers start with."""
    if parameter.numel < MIN_ELEMENTS or len(parameter.shape) < 2 or parameter.drawn is False:
        return False
    if parameter.module == "Embedding":
        error = 1 / math.sqrt(parameter.numel)
        return abs(parameter.std - 1) < 4 * error and abs(parameter.mean) < 4 * error
    edge = bound(parameter)
    sampled = min(parameter.numel, 8192)
    return edge is not None and (1 - FILL / sampled) * edge <= parameter.largest <= edge * (1 + 1e-6)


def bound(parameter: Parameter) -> float | None:
    """Edge of the uniform distribution that the layer's own ``reset_parameters`` draws its weights from: 1/sqrt(fan in)
    for linear and convolution layers, 1/sqrt(hidden size) for recurrent ones.
    """
    shape, cls = parameter.shape, parameter.module or ""
    if cls in RECURRENT:
        gates = {"LSTM": 4, "GRU": 3}.get(cls.removesuffix("Cell"), 1)
        return 1 / math.sqrt(shape[0] / gates)
    if cls == "Linear" or cls.startswith("Conv"):
        return 1 / math.sqrt(math.prod(shape[1:]))
    return None
