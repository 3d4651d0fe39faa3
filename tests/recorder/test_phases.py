"""Scripts in several phases: another model, another optimizer, the first one long gone."""

from __future__ import annotations

from tests.recorder.harness import Record

SCRIPT = """
import copy, torch
from torch import nn
def fit(net, opt, targets):
    for _ in range(4):
        opt.zero_grad()
        nn.functional.cross_entropy(net(torch.randn(8, 4)), torch.arange(8) % targets).backward()
        opt.step()
base = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
fit(base, torch.optim.SGD(base.parameters(), lr=0.1), 3)
net = copy.deepcopy(base)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net[2] = nn.Linear(6, 2)
fit(net, opt, 2)
"""


def test_the_second_phase_has_its_own_model_and_optimizer(record: Record) -> None:
    run = record(SCRIPT)
    assert [s.optimizer for s in run.trace.steps] == [0] * 4 + [1] * 4
    second = {p.name: p for p in run.trace.parameters if 1 in p.optimizers}
    assert all(0 not in p.optimizers for p in second.values())
    (head,) = [p for p in run.trace.parameters if p.shape == (2, 6)]
    assert (head.used, head.optimizers) == (True, ())
    assert head.id in run.trace.steps[-1].grads
