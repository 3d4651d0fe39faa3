"""Which lines and functions of the user's code take the time of a step."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SLOW = """
import time, torch
from torch import nn
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
def log():
    {}
for i in range(30):
    opt.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    log()
    opt.step()
"""
SPREAD = "\n    ".join(["time.sleep(0.01)"] * 5)


def test_a_stall_spread_over_the_lines_of_a_function_is_told_as_that_function(record: Record) -> None:
    run = record(SLOW.format(SPREAD), max_steps=40)
    (row,) = [r for r in run.of("hotspot") if r["what"] == "function"]
    assert row["share"] > 0.7
    assert row["lines"][0] < row["line"] <= row["lines"][1] == row["lines"][0] + 5


def test_one_slow_line_is_told_as_a_line_alone(record: Record) -> None:
    run = record(SLOW.format("time.sleep(0.03)"), max_steps=40)
    assert [r["what"] for r in run.of("hotspot")] == ["step"]


AROUND = """
import time, torch
from torch import nn
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
def slow():
    time.sleep(0.03)
def update(x):
    opt.zero_grad()
    net(x).square().mean().backward()
    opt.step()
for i in range(20):
    {}
"""
CALL = "update(torch.randn(8, 4))"


@pytest.mark.parametrize(("lines", "after"), [((CALL, "slow()"), 1.0), (("slow()", CALL), 0.0)])
def test_a_line_is_held_against_the_update_in_the_function_that_both_came_through(
    record: Record, lines: tuple[str, ...], after: float
) -> None:
    run = record(AROUND.format("\n    ".join(lines)), max_steps=40)
    (row,) = [r for r in run.of("hotspot") if r["what"] == "step"]
    assert "sleep" in row["code"]
    assert row["after"] == pytest.approx(after, abs=0.1)
