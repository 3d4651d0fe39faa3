"""Kinds of training scripts: each is recorded with loss, gradients, rate and names, and none is changed by it.

What cannot be seen in a row is asserted too (``unseen``), so that nobody guesses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.recorder.harness import Record, Recorded, comparable

from lossdoctor.model import Step

HEAD = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(3)
X, y = torch.randn(16, 20), torch.arange(16) % 5
"""
MODEL = HEAD + "net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 5))\n"
ADAM = "opt = torch.optim.AdamW(net.parameters(), lr=1e-3)\n"
LOOP = """for i in range(6):
    opt.zero_grad()
    loss = F.cross_entropy(net(X), y)
    loss.backward()
    opt.step()
    print(loss.item().hex())
"""
TAIL = """
print([sum(p.detach().double().flatten().tolist()).hex() for p in net.parameters()])
print(torch.rand(4).tolist())
"""
LINEAR = {"0.weight", "0.bias", "3.weight", "3.bias"}


@dataclass(frozen=True)
class Row:
    """A script of six steps, and what its trace must show."""

    source: str
    names: set[str] = field(default_factory=lambda: LINEAR)
    optimizer: str | None = "AdamW"
    steps: int = 6
    check: Callable[[Recorded], object] = lambda run: None
    tail: str = TAIL


def losses_are_those_of_the_script(run: Recorded) -> None:
    printed = [float.fromhex(line) for line in run.stdout.splitlines() if line.startswith(("0x", "-0x"))]
    assert [step.losses[-1] for step in run.trace.steps] == printed


def every_step(test: Callable[[Step], bool]) -> Callable[[Recorded], object]:
    def check(run: Recorded) -> None:
        assert all(test(step) for step in run.trace.steps)

    return check


ROWS = {
    "plain": Row(MODEL + ADAM + LOOP, check=losses_are_those_of_the_script),
    "function": Row(
        MODEL + "def train():\n    inner = net\n    " + (ADAM + LOOP).replace("\n", "\n    ") + "\ntrain()\n",
        check=losses_are_those_of_the_script,
    ),
    "in place activation": Row(MODEL.replace("nn.ReLU()", "nn.ReLU(inplace=True)") + ADAM + LOOP),
    "bf16 autocast": Row(
        MODEL + ADAM + LOOP.replace(
            "    loss = F.cross_entropy(net(X), y)\n",
            "    with torch.autocast('cpu', dtype=torch.bfloat16):\n        loss = F.cross_entropy(net(X), y)\n",
        ),
        check=lambda run: [f["autocast"] for f in run.of("forward")].index("bfloat16"),
    ),
    "fp16 scaler": Row(
        MODEL + ADAM + "sc = torch.amp.GradScaler('cpu', init_scale=2.0 ** 40)\n"
        + LOOP.replace("range(6)", "range(40)").replace("net(X)", "net(X).half().float()")
        .replace("loss.backward()", "sc.scale(loss).backward()").replace("opt.step()", "sc.step(opt); sc.update()"),
        steps=20, check=lambda run: run.of("skip")[0],
    ),
    "subclassed optimizer": Row(
        MODEL + "class Mine(torch.optim.SGD):\n    def step(self, closure=None): return super().step(closure)\n"
        "opt = Mine(net.parameters(), lr=0.1)\n" + LOOP,
        optimizer="Mine",
    ),
    "wrapped optimizer": Row(
        MODEL + "class Wrapper:\n    def __init__(self, opt): self.opt = opt\n"
        "    def zero_grad(self): self.opt.zero_grad()\n"
        "    def step(self): self.opt.step()\nopt = Wrapper(torch.optim.SGD(net.parameters(), lr=0.1))\n" + LOOP,
        optimizer="SGD",
    ),
    "own optimizer": Row(
        MODEL + "class Own(torch.optim.Optimizer):\n"
        "    def __init__(self, params): super().__init__(params, {'lr': 0.1})\n"
        "    @torch.no_grad()\n    def step(self):\n        for g in self.param_groups:\n"
        "            for p in g['params']: p -= g['lr'] * p.grad\nopt = Own(net.parameters())\n" + LOOP,
        optimizer="Own",
    ),
    "fused optimizer": Row(MODEL + ADAM.replace("lr=1e-3", "lr=1e-3, fused=True") + LOOP),
    "compiled model": Row(
        MODEL + "raw = net\nnet = torch.compile(net, backend='aot_eager')\n" + ADAM + LOOP
        + "print('breaks', sum(torch._dynamo.utils.counters['graph_break'].values()), 'frames', "
        "torch._dynamo.utils.counters['frames']['total'])\n",
        names={f"_orig_mod.{name}" for name in LINEAR}, check=losses_are_those_of_the_script,
    ),
    "compiled loss": Row(
        MODEL + ADAM + "@torch.compile(backend='aot_eager')\ndef objective(x, y): return F.cross_entropy(net(x), y)\n"
        + LOOP.replace("F.cross_entropy(net(X), y)", "objective(X, y)"),
        check=losses_are_those_of_the_script,
    ),
    "manual, module": Row(
        MODEL + "opt = None\n" + LOOP.replace("opt.zero_grad()", "pass").replace(
            "opt.step()", "\n    with torch.no_grad():\n"
            "        for p in net.parameters(): p -= 0.1 * p.grad; p.grad = None"
        ),
        optimizer=None, check=every_step(lambda step: bool(step.moved) and step.grad_norm > 0 and len(step.grads) == 4),
    ),
    "manual, bare tensors": Row(
        HEAD + "W, b = torch.randn(20, 5, requires_grad=True), torch.zeros(5, requires_grad=True)\nparams = [W, b]\n"
        + LOOP.replace("opt.zero_grad()", "pass").replace("net(X)", "X @ W + b").replace(
            "opt.step()", "\n    for p in params: p.data -= 0.1 * p.grad; p.grad.zero_()"
        ),
        names={"W", "b"}, optimizer=None, tail="print(W.sum().item().hex(), torch.rand(4).tolist())\n",
        check=every_step(lambda step: bool(step.moved) and len(step.grads) == 2 and not step.stale),
    ),
    "activation checkpointing": Row(
        MODEL + "from torch.utils.checkpoint import checkpoint\n" + ADAM
        + LOOP.replace("net(X)", "checkpoint(net, X, use_reentrant=False)"),
        check=losses_are_those_of_the_script,
    ),
    "tied weights": Row(
        HEAD + "class Tied(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a, self.b = nn.Linear(20, 20), nn.Linear(20, 20)\n        self.b.weight = self.a.weight\n"
        "    def forward(self, x): return self.b(self.a(x).relu())\nnet = Tied()\n" + ADAM + LOOP,
        names={"a.weight", "a.bias", "b.bias"},
    ),
    "parametrization": Row(
        HEAD + "net = nn.utils.parametrizations.weight_norm(nn.Linear(20, 5))\n" + ADAM + LOOP,
        names={"bias", "parametrizations.weight.original0", "parametrizations.weight.original1"},
    ),
    "model built twice": Row(
        MODEL + ADAM + LOOP.replace("range(6)", "range(2)") + MODEL.split("\n")[-2] + "\n" + ADAM
        + LOOP.replace("range(6)", "range(4)"),
        names=LINEAR | {f"net.{name}" for name in LINEAR},
    ),
    "iterable dataset": Row(
        MODEL + ADAM + "class Stream(torch.utils.data.IterableDataset):\n    def __iter__(self):\n"
        "        for i in range(48): yield X[i % 16], y[i % 16]\n"
        + LOOP.replace("for i in range(6)", "for X_, y_ in torch.utils.data.DataLoader(Stream(), batch_size=8)")
        .replace("net(X), y", "net(X_), y_"),
        check=lambda run: [run.of("loader")[0]["len"], len(run.of("batch"))],
    ),
    "closure": Row(
        HEAD + "net = nn.Linear(20, 5)\nopt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=3)\n"
        "for i in range(6):\n    def closure():\n        opt.zero_grad()\n        loss = F.cross_entropy(net(X), y)\n"
        "        loss.backward()\n        return loss\n    print(opt.step(closure).item().hex())\n",
        names={"weight", "bias"}, optimizer="LBFGS", check=every_step(lambda step: step.backwards >= 2),
    ),
    "sparse embedding": Row(
        HEAD + "net = nn.EmbeddingBag(50, 5, sparse=True)\nopt = torch.optim.SparseAdam(net.parameters(), lr=0.01)\n"
        + LOOP.replace("net(X)", "net(torch.arange(32).view(16, 2))"),
        names={"weight"}, optimizer="SparseAdam",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_recorded_and_not_changed(record: Record, run_bare: Callable[..., str], name: str) -> None:
    row = ROWS[name]
    run = record(row.source + row.tail, max_steps=None)
    assert run.stop == "script_end", run.stderr
    assert run.stdout == run_bare(row.source + row.tail), (
        "losses, weights, later random numbers: bit-identical"
    )
    assert {p.name for p in run.trace.parameters} == row.names
    assert len(run.trace.steps) >= row.steps
    assert all(step.losses and step.grad_norm > 0 for step in run.trace.steps)
    if row.optimizer:
        assert run.trace.optimizers[0].cls == row.optimizer
        assert all(step.lr and step.grads for step in run.trace.steps)
        assert run.trace.steps[0].updates, "update sizes at the first steps"
    row.check(run)


def test_a_compiled_model_is_not_broken_up_by_the_recorder(record: Record) -> None:
    run = record(ROWS["compiled model"].source, max_steps=None)
    assert "breaks 0" in run.stdout
    assert not run.of("act"), "activations inside a compiled graph cannot be seen"


RANDOM = MODEL + ADAM + """
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(X, y), batch_size=4, shuffle=True)
for epoch in range(3):
    for xb, yb in loader:
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(f"epoch {epoch} loss {F.cross_entropy(net(X), y).item():.6f}")
"""  # fmt: skip


def test_two_identical_runs_leave_identical_traces(record: Record) -> None:
    first, second = (record(RANDOM, max_steps=None) for _ in range(2))
    assert _stable(first) == _stable(second)
    assert len(first.trace.steps) == 12


def test_a_cold_start_and_a_fork_leave_identical_traces(record: Record, record_cold: Record) -> None:
    assert _stable(record(RANDOM, max_steps=None)) == _stable(record_cold(RANDOM, max_steps=None))


def test_a_script_without_seeds_is_repeatable_under_the_recorders_seed(record: Record) -> None:
    source = RANDOM.replace("torch.manual_seed(3)", "")
    first, second, other = record(source), record(source), record(source, seed=1)
    assert first.losses == second.losses
    assert first.losses != other.losses


def _stable(run: Recorded) -> list[dict[str, Any]]:
    """Rows without memory sizes and without what was sampled by the clock."""
    return [{k: v for k, v in row.items() if k != "mem"} for row in comparable(run) if row["k"] != "hotspot"]
