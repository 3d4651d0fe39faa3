"""Gradients that carry over from the last step are seen, and no way of clearing them is mistaken for it."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

LOOP = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(5):
    {before}
    loss = nn.functional.cross_entropy(net(torch.randn(16, 20)), torch.randint(0, 5, (16,)))
    loss.backward()
    opt.step()
    {after}
"""
CLEARING = {
    "optimizer": "opt.zero_grad()",
    "optimizer to zero": "opt.zero_grad(set_to_none=False)",
    "module": "net.zero_grad()",
    "none": "for p in net.parameters(): p.grad = None",
    "zero": "for p in net.parameters(): p.grad is not None and p.grad.zero_()",
    "zero data": "for p in net.parameters(): p.grad is not None and p.grad.data.zero_()",
    "multiplied": "for p in net.parameters(): p.grad is not None and p.grad.mul_(0)",
}


@pytest.mark.parametrize("style", CLEARING)
def test_no_way_of_clearing_is_mistaken_for_carrying_over(record: Record, style: str) -> None:
    before = record(LOOP.format(before=CLEARING[style], after="pass"))
    after = record(LOOP.format(before="pass", after=CLEARING[style]))
    for run in (before, after):
        assert len(run.trace.steps) == 5
        assert not any(step.stale for step in run.trace.steps)


def test_gradients_that_are_never_cleared_are_stale_from_the_second_step_on(record: Record) -> None:
    run = record(LOOP.format(before="pass", after="pass"))
    assert [step.stale for step in run.trace.steps] == [False, True, True, True, True]


def test_clearing_only_now_and_then_is_seen_at_the_steps_between(record: Record) -> None:
    run = record(LOOP.format(before="i % 2 or opt.zero_grad()", after="pass"))
    assert [step.stale for step in run.trace.steps] == [False, True, False, True, False]


def test_two_networks_that_take_turns_have_names_and_no_stale_gradients(record: Record) -> None:
    run = record("""
        import torch
        from torch import nn
        netG = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
        netD = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
        oG, oD = torch.optim.Adam(netG.parameters(), lr=1e-3), torch.optim.Adam(netD.parameters(), lr=4e-3)
        bce = nn.BCEWithLogitsLoss()
        for i in range(100):
            real, fake = torch.randn(16, 2), netG(torch.randn(16, 8))
            oD.zero_grad()
            (bce(netD(real), torch.ones(16, 1)) + bce(netD(fake.detach()), torch.zeros(16, 1))).backward()
            oD.step()
            oG.zero_grad()
            bce(netD(fake), torch.ones(16, 1)).backward()
            oG.step()
        """)
    assert {p.name for p in run.trace.parameters} == {
        *(f"netG.{n}.{kind}" for n in (0, 2) for kind in ("weight", "bias")),
        *(f"netD.{n}.{kind}" for n in (0, 2) for kind in ("weight", "bias")),
    }
    assert [step.optimizer for step in run.trace.steps] == [1, 0] * 4
    assert {step.lr for step in run.trace.steps if step.optimizer == 1} == {(4e-3,)}
    assert not any(step.stale for step in run.trace.steps), "D's gradients of G's pass are nobody's fault"


def test_parameters_that_no_optimizer_holds_are_told(record: Record) -> None:
    run = record("""
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.backbone, self.head = nn.Linear(8, 8), nn.Linear(8, 1)
            def forward(self, x):
                return self.head(self.backbone(x).relu())
        net = Net()
        opt = torch.optim.Adam(net.backbone.parameters())
        for i in range(4):
            opt.zero_grad()
            net(torch.randn(4, 8)).square().mean().backward()
            opt.step()
        """)
    holders = {p.name: p.optimizers for p in run.trace.parameters}
    assert holders == {"backbone.weight": (0,), "backbone.bias": (0,), "head.weight": (), "head.bias": ()}
    missing = [p.id for p in run.trace.parameters if not p.optimizers]
    assert all(step.grads[n] > 0 for step in run.trace.steps for n in missing)


def test_a_second_optimizer_without_clearing_is_stale_although_one_backward_serves_both(
    record: Record,
) -> None:
    source = """
import torch
from torch import nn
torch.manual_seed(0)
enc, dec, X = nn.Linear(8, 4), nn.Linear(4, 8), torch.randn(32, 8)
optims = [torch.optim.SGD(m.parameters(), lr=0.01) for m in (enc, dec)]
for i in range(6):
    enc.zero_grad()
    {also}
    nn.functional.mse_loss(dec(enc(X)), X).backward()
    for opt in optims:
        opt.step()
"""
    partly = record(source.replace("{also}", "pass"), max_steps=None)
    assert [s.stale for s in partly.trace.steps if s.optimizer == 1][1:] == [True] * 5
    assert not any(s.stale for s in partly.trace.steps if s.optimizer == 0)
    whole = record(source.replace("{also}", "dec.zero_grad()"), max_steps=None)
    assert not any(s.stale for s in whole.trace.steps)


def test_clearing_in_a_helper_is_told_where_the_step_calls_it(record: Record) -> None:
    run = record(
        """
        import torch
        net = torch.nn.Linear(4, 1)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        def clear():
            net.zero_grad()
        def update(x):
            loss = net(x).pow(2).mean()
            loss.backward()
            clear()
            opt.step()
        for k in range(5):
            update(torch.randn(8, 4))
        """
    )
    assert [s.code for s in run.trace.sites if s.what == "late_zero_grad"] == ["clear()"]
