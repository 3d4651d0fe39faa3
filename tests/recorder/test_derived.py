"""Training by ``torch.autograd.grad``: each call that finds gradients of what is trained is a pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.recorder.harness import Record
from tests.recorder.test_matrix import HEAD

BARE = HEAD + (
    "w = {'a': torch.randn(20, 16) / 4, 'b': torch.randn(16, 5) / 4}\n"
    "w = {k: v.requires_grad_() for k, v in w.items()}\n"
    "for i in range(6):\n"
    "    loss = F.cross_entropy(torch.relu(X @ w['a']) @ w['b'], y)\n"
    "    gs = torch.autograd.grad(loss, list(w.values()))\n"
    "    with torch.no_grad():\n"
    "        for p, g in zip(w.values(), gs):\n"
    "            p -= 0.1 * g\n"
    "    print(loss.item().hex())\n"
)
HELD = HEAD + (
    "net = nn.Linear(20, 5)\n"
    "opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)\n"
    "for i in range(6):\n"
    "    loss = F.cross_entropy(net(X), y)\n"
    "    ps = list(net.parameters())\n"
    "    for p, g in zip(ps, torch.autograd.grad(loss, ps)):\n"
    "        p.grad = g\n"
    "    opt.step()\n"
    "    print(loss.item().hex())\n"
)


def printed(text: str) -> list[float]:
    return [float.fromhex(line) for line in text.splitlines()]


def test_bare_tensors_that_are_changed_by_hand_are_named_and_their_steps_counted(
    record: Record, run_bare: Callable[..., str]
) -> None:
    run = record(BARE, max_steps=None)
    assert run.stdout == run_bare(BARE), "bit-identical"
    assert not run.of("trouble")
    assert not run.of("derivative")
    assert [step.losses[0] for step in run.trace.steps] == printed(run.stdout)
    assert {p.name for p in run.trace.parameters} == {"w['a']", "w['b']"}
    for step in run.trace.steps[:5]:
        assert step.moved
        update, weight, _ = step.updates[0]
        assert update == pytest.approx(0.1 * step.grads[0], rel=1e-3)
        assert update < weight


def test_gradients_that_are_handed_to_an_optimizer_have_their_loss_and_are_not_stale(
    record: Record, run_bare: Callable[..., str]
) -> None:
    run = record(HELD, max_steps=None)
    assert run.stdout == run_bare(HELD)
    assert [step.losses[0] for step in run.trace.steps] == printed(run.stdout)
    assert [step.backwards for step in run.trace.steps] == [1] * 6
    assert not any(step.stale for step in run.trace.steps)


def test_a_derivative_within_a_step_that_goes_backward_is_no_loss_of_its_own(record: Record) -> None:
    source = HELD.replace("    for p, g in zip(ps, torch.autograd.grad(loss, ps)):\n        p.grad = g\n",
                          "    torch.autograd.grad(2 * loss, ps, retain_graph=True)\n"
                          "    opt.zero_grad()\n    loss.backward()\n")  # fmt: skip
    run = record(source, max_steps=None)
    assert run.losses == [(value,) for value in printed(run.stdout)]
    assert [step.backwards for step in run.trace.steps] == [1] * 6


def test_an_attack_on_the_input_is_no_training(record: Record) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5)\nx = X.clone().requires_grad_()\n"
        "for i in range(3):\n    (g,) = torch.autograd.grad(F.cross_entropy(net(x), y), x)\n"
    )
    assert record(source, max_steps=None).trace.steps == ()


@pytest.mark.parametrize("factor", [0.01, 5.0])
def test_the_rate_of_updates_by_hand_is_scaled_by_way_of_the_gradients(record: Record, factor: float) -> None:
    plain = record(BARE, max_steps=None)
    changed = record(BARE, max_steps=None, interventions=[{"name": "scale_lr", "factor": factor}])
    first, second = plain.trace.steps[0].updates[0], changed.trace.steps[0].updates[0]
    assert second[0] == pytest.approx(factor * first[0], rel=1e-3)


def test_gradients_of_updates_by_hand_are_negated(record: Record) -> None:
    flipped = record(BARE, max_steps=None, interventions=[{"name": "flip_gradient"}])
    losses = [values[0] for values in flipped.losses]
    assert losses == sorted(losses), "uphill"


def test_an_optimizer_is_scaled_once(record: Record) -> None:
    plain = record(HELD, max_steps=1)
    changed = record(HELD, max_steps=1, interventions=[{"name": "scale_lr", "factor": 0.1}])
    assert changed.trace.steps[0].updates[0][0] == pytest.approx(
        0.1 * plain.trace.steps[0].updates[0][0], rel=1e-3
    )
