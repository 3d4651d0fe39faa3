"""The close look at non-finite values points at the line of the operation itself."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def score(p):
    return {term}
def objective(x):
    return score(net(x).relu() * 0).mean()
for i in range(3):
    opt.zero_grad()
    objective(torch.ones(8, 4)).backward()
    opt.step()
"""


@pytest.mark.parametrize(("term", "phase"), [("p.log()", "forward"), ("(p * p).sqrt()", "backward")])
def test_the_line_of_the_operation_is_told_from_the_very_first_step_on(
    record: Record, term: str, phase: str
) -> None:
    run = record(SCRIPT.format(term=term), lens={"from": 0})
    (row,) = run.trace.of("nonfinite")
    assert (row["phase"], row["line"]) == (phase, 5)
    assert row["file"].endswith(".py")
