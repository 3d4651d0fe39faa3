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


def test_a_frozen_extractor_of_features_is_no_evaluation_of_the_head(record: Record) -> None:
    run = record(
        """
        import torch
        from torch import nn
        import torch.nn.functional as F
        torch.manual_seed(0)
        body, head = nn.Linear(6, 6), nn.Linear(6, 3)
        x, y, held = torch.randn(48, 6), torch.randint(0, 3, (48,)), torch.randn(30, 6)
        opt = torch.optim.SGD(body.parameters(), lr=0.1)
        for k in range(3):
            opt.zero_grad(); body(x).pow(2).mean().backward(); opt.step()
        opt = torch.optim.SGD(head.parameters(), lr=0.1)
        for k in range(4):
            with torch.no_grad():
                features = body(x)
            opt.zero_grad(); F.cross_entropy(head(features), y).backward(); opt.step()
        with torch.no_grad():
            print(head(body(held)).argmax(1))
        """
    )
    shown = [len(row["h"]) for row in run.of("ids") if not row["grad"]]
    assert shown == [30], "the head's own evaluation"


def test_weights_that_are_first_probed_and_then_trained_belong_to_the_later_optimizer(record: Record) -> None:
    run = record(
        """
        import torch
        from torch import nn
        torch.manual_seed(0)
        body = nn.Linear(4, 6)
        def fit(head, opt):
            for _ in range(2):
                opt.zero_grad()
                nn.functional.cross_entropy(head(body(torch.randn(8, 4))), torch.arange(8) % 3).backward()
                opt.step()
        head = nn.Linear(6, 3)
        body.requires_grad_(False)
        fit(head, torch.optim.SGD(head.parameters(), lr=0.1))
        body.requires_grad_(True)
        top = nn.Linear(6, 3)
        fit(top, torch.optim.SGD([*body.parameters(), *top.parameters()], lr=0.1))
        """
    )
    (body,) = [p for p in run.trace.parameters if p.shape == (6, 4)]
    assert body.optimizers == (1,)
    assert {p.optimizers for p in run.trace.parameters if p.shape == (3, 6)} == {(0,), (1,)}
