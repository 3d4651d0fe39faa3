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


MASKS = """
import torch
net = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def distances(z):
    return (z[:, None] - z[None]).square().sum(-1).sqrt()
for i in range(4):
    with torch.no_grad():
        distances(net(torch.ones(3, 4))).log().amin()
    mask = torch.tensor([[1.0, 0.0]]).log()
    z = net(torch.arange(12.0).reshape(3, 4))
    rows = (torch.stack([z.sum(), z.mean()]) + mask).softmax(1)
    opt.zero_grad()
    (rows.sum() + LAST).backward()
    opt.step()
"""


def test_infinities_that_are_meant_are_passed_over(record: Record) -> None:
    """An evaluation and a mask hold infinities at every step; the loss breaks at the third one for another reason."""
    term = "(z - z).sum().log() * (i == 2) if i == 2 else z.sum()"
    run = record(MASKS.replace("LAST", f"({term})"), lens={"from": 0})
    (row,) = run.trace.of("nonfinite")
    assert (row["op"], row["line"], row["i"]) == ("log", 13, 3)


def test_a_gradient_that_breaks_is_found_beside_them(record: Record) -> None:
    run = record(MASKS.replace("LAST", "distances(z).sum()"), lens={"from": 0})
    (row,) = run.trace.of("nonfinite")
    assert (row["phase"], row["line"]) == ("backward", 5)


def test_where_everything_stays_finite_no_operation_is_named(record: Record) -> None:
    assert not record(MASKS.replace("LAST", "0"), lens={"from": 0}).trace.of("nonfinite")


def test_a_row_that_is_masked_as_a_whole_is_named_at_its_softmax(record: Record) -> None:
    masked = "z.masked_fill(torch.arange(4) <= i, -torch.inf).softmax(1).sum()"
    run = record(MASKS.replace("LAST", masked), lens={"from": 0})
    (row,) = run.trace.of("nonfinite")
    assert (row["op"], row["i"], row["inputs_nan"], row["output_nan"]) == ("softmax", 4, False, True)
    shifted = "(z.log_softmax(1) + torch.tensor([-torch.inf, 0.0, 0.0, 0.0])) * 0"
    source = MASKS.replace("LAST", f"(({shifted}).sum() if i == 2 else 0)")
    (row,) = record(source, lens={"from": 0}).trace.of("nonfinite")
    assert (row["op"], row["output_nan"]) == ("mul", True)


def test_nan_from_the_data_goes_before_what_is_meant(record: Record) -> None:
    given = "z = net(torch.tensor([[float('nan')] * 4] * 3))  # "
    source = MASKS.replace("z = net(", given).replace("LAST", "0")
    (row,) = record(source, lens={"from": 0}).trace.of("nonfinite")
    assert (row["inputs_bad"], row["inputs_nan"], row["i"]) == (True, True, 1)


QUIET = """
import torch
net = torch.nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def advantage(rewards):
    return (rewards - rewards.mean(1, True)) / rewards.std(1, keepdim=True)
for i in range(3):
    score = net(torch.ones(8, 4)).log_softmax(1)
    with torch.no_grad():
        unused = torch.zeros(3) / torch.zeros(3)
        gain = {gain}
    opt.zero_grad()
    (gain * score).mean().backward()
    opt.step()
"""


def test_what_was_computed_without_gradients_is_named_where_the_loss_got_nan_from_it(record: Record) -> None:
    source = QUIET.replace("unused", "torch.zeros(3)  #").format(gain="advantage(torch.ones(8, 3))")
    (row,) = record(source, lens={"from": 0}).trace.of("nonfinite")
    assert (row["op"], row["line"], row["inputs_bad"]) == ("div", 5, False)
    finite = QUIET.format(gain="advantage(torch.rand(8, 3))")
    assert not record(finite, lens={"from": 0}).trace.of("nonfinite"), "an empty metric is no fault"


def test_an_infinite_gradient_is_named_where_it_was_made_not_where_it_became_nan(record: Record) -> None:
    source = SCRIPT.format(term="torch.acos((p * 0 + 1).clamp(-1, 1))").replace(
        "net(x).relu() * 0", "net(x) * 1"
    )
    (row,) = record(source, lens={"from": 0}).trace.of("nonfinite")
    assert (row["op"], row["line"], row["phase"]) == ("Acos", 5, "backward")
