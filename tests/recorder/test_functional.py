"""Training with torch.func: every outermost gradient call is a step, and the script is not changed by it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.recorder.harness import Record
from tests.recorder.test_matrix import HEAD

MODEL = HEAD + (
    "from torch.func import functional_call, grad, grad_and_value, vmap\n"
    "net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 5))\n"
    "ps = {k: v.detach().clone() for k, v in net.named_parameters()}\n"
    "def objective(ps, x, y): return F.cross_entropy(functional_call(net, ps, (x,)), y)\n"
)
LOOP = (
    "for i in range(6):\n    g, loss = grad_and_value(objective)(ps, X, y)\n"
    "    ps = {k: v - 0.1 * g[k] for k, v in ps.items()}\n    print(loss.item().hex())\n"
)
TAIL = "print([float(p.double().sum()).hex() for p in ps.values()], torch.rand(3).tolist())\n"
NAMES = {"0.weight", "0.bias", "3.weight", "3.bias"}


def test_loss_gradients_updates_and_data_of_a_functional_loop_are_recorded(
    record: Record, run_bare: Callable[..., str]
) -> None:
    run = record(MODEL + LOOP + TAIL, max_steps=None)
    assert run.stdout == run_bare(MODEL + LOOP + TAIL), "bit-identical"
    assert not run.of("trouble")
    printed = [float.fromhex(line) for line in run.stdout.splitlines() if line.startswith("0x")]
    assert [step.losses[0] for step in run.trace.steps] == printed
    assert [step.loss_values[0] for step in run.trace.steps] == printed
    assert {p.name for p in run.trace.parameters} == NAMES
    for step in run.trace.steps:
        assert len(step.grads) == 4
        assert step.grad_norm > 0
        assert step.moved
    size, weight, share = run.trace.steps[0].updates[0]
    assert size == pytest.approx(0.1 * run.trace.steps[0].grads[0], rel=1e-3)
    assert 0 < size < weight
    assert share > 0.5
    assert len(run.of("ids")[0]["h"]) == 16


def test_a_functional_loop_stops_after_the_steps_that_were_asked_for(record: Record) -> None:
    run = record(MODEL + LOOP, max_steps=3)
    assert run.stop == "max_steps"
    assert len(run.trace.steps) == 3


def test_gradients_without_a_value_have_no_loss_but_that_of_the_loss_function(record: Record) -> None:
    source = MODEL + LOOP.replace("g, loss = grad_and_value(objective)", "g = grad(objective)").replace(
        "loss.item().hex()", "i"
    )
    run = record(source, max_steps=None)
    assert all(step.losses == () and step.loss_values for step in run.trace.steps)
    assert len(run.trace.steps) == 6


def test_parameters_that_stay_as_they_are_show(record: Record) -> None:
    run = record(MODEL + LOOP.replace("v - 0.1 * g[k]", "v"), max_steps=None)
    assert [step.moved for step in run.trace.steps][:3] == [False] * 3


def test_gradients_per_sample_and_of_inputs_are_no_steps(
    record: Record, run_bare: Callable[..., str]
) -> None:
    source = MODEL + (
        "net.eval()\nper_sample = vmap(grad(objective), in_dims=(None, 0, 0))\n"
        "for i in range(3):\n    g = per_sample(ps, X.unsqueeze(1), y.unsqueeze(1))\n"
        "    print(g['0.weight'].shape, grad(lambda x: objective(ps, x, y))(X).shape)\n"
    )
    run = record(source, max_steps=None)
    assert run.stdout == run_bare(source)
    assert not run.trace.steps
