"""The operations of the model's own graph, apart from those of a loss that the script writes out."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SOURCE = """
import torch, torch.nn as nn
torch.manual_seed(0)
net, other = nn.Sequential(nn.Linear(4, 8), {middle}, nn.Linear(8, 1)), nn.Linear(4, 1)
opt = torch.optim.SGD([*net.parameters(), *other.parameters()], lr=0.01)
x = torch.randn(16, 4)
for _ in range(3):
    opt.zero_grad()
    {risk}
    (torch.logcumsumexp(risk, 0) - risk).mean().backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("middle", "risk", "own"),
    [
        ("nn.Identity()", "risk = net(x)[:, 0]", False),
        ("nn.Tanh()", "risk = net(x)[:, 0]", True),
        ("nn.Identity()", "risk = torch.relu(net(x)[:, 0]) + other(x)[:, 0]", None),  # two models
    ],
)
def test_own_operations_are_those_below_the_models_answer(
    record: Record, middle: str, risk: str, own: bool | None
) -> None:
    row = record(SOURCE.format(middle=middle, risk=risk)).of("graph")[0]
    assert "Logcumsumexp" in row["kinds"]
    assert ("own" in row) == (own is not None)
    if own is not None:
        assert "Logcumsumexp" not in row["own"]
        assert ("Tanh" in row["own"]) == own
