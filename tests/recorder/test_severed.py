"""Draws and modules that cut a model's own signal off, and the interventions that mend them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.recorder.harness import Record, Recorded

CODER = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical, Independent, Normal
torch.manual_seed(0)
X = torch.rand(64, 8)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(8, 6), nn.Linear(3, 8)
    def forward(self, x):
        mean, spread = self.down(x).chunk(2, 1)
        spread = F.softplus(spread)
        {draw}
        return self.up({given}), mean
{more}
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    opt.zero_grad()
    out, mean = net(X)
    (F.mse_loss(out, X) + 0.01 * mean.square().mean()).backward()
    opt.step()
"""


def coder(draw: str, given: str = "z", more: str = "") -> str:
    return CODER.format(draw=draw, given=given, more=more)


def flat(run: Recorded) -> list[float]:
    return [value for losses in run.losses for value in losses]


SAMPLE = "z = Normal(mean, spread).sample()"


@pytest.mark.parametrize(
    ("draw", "given"),
    [(SAMPLE, "z"), (SAMPLE, "torch.cat([z[:, :2], x[:, :1]], 1)"), ("z = torch.normal(mean, spread)", "z"),
     ("z = Independent(Normal(mean, spread), 1).sample()", "z")],
)  # fmt: skip
def test_a_draw_that_the_model_goes_on_with_is_noted(record: Record, draw: str, given: str) -> None:
    rows = record(coder(draw, given), max_steps=None).of("severed")
    assert [(r["i"], r["how"]) for r in rows] == [(i, "draw") for i in range(5)]


@pytest.mark.parametrize(
    ("draw", "given"),
    [("z = Normal(mean, spread).rsample()", "z"), ("z = mean + spread * torch.randn_like(mean)", "z"),
     (SAMPLE, "mean"), ("with torch.no_grad(): Normal(mean, spread).sample()", "mean"),
     ("z = F.one_hot(Categorical(logits=mean).sample(), 3).float()", "z + mean")],
)  # fmt: skip
def test_draws_that_keep_the_graph_or_are_used_elsewhere_are_not(
    record: Record, draw: str, given: str
) -> None:
    assert not record(coder(draw, given), max_steps=None).of("severed")


def test_a_draw_in_the_middle_of_a_model_is_no_action(record: Record) -> None:
    assert not record(coder(SAMPLE), max_steps=None).of("acts")
    assert record(coder(SAMPLE, "mean"), max_steps=None).of("acts")


@pytest.mark.parametrize(
    ("cut", "whole"),
    [(SAMPLE, "z = Normal(mean, spread).rsample()"),
     ("z = torch.normal(mean, spread)", "z = mean + spread * torch.normal(torch.zeros(64, 3), torch.ones(64, 3))")],
)  # fmt: skip
def test_draws_are_reparametrised(record: Record, cut: str, whole: str) -> None:
    mended = record(coder(cut), max_steps=None, interventions=[{"name": "reparametrise"}])
    assert flat(mended) == pytest.approx(flat(record(coder(whole), max_steps=None)), rel=1e-6)
    assert mended.losses != record(coder(cut), max_steps=None).losses


QUANTISER = """
class Quantiser(nn.Module):
    {grad}
    def forward(self, z):
        rounded = z.round()
        return {returned}
quantise = Quantiser()
"""
STRAIGHT = "z + (rounded - z).detach()"


def quantiser(grad: str, returned: str, given: str = "z") -> str:
    return coder("z = quantise(mean)", given, QUANTISER.format(grad=grad, returned=returned))


def test_a_module_that_runs_without_gradients_is_noted_where_it_is_defined(record: Record) -> None:
    run = record(quantiser("@torch.no_grad()", STRAIGHT), max_steps=None)
    (row, *_) = run.of("severed")
    assert (row["how"], row["name"]) == ("module", "Quantiser")
    site: Any = run.trace.site("severed")
    assert site.code == "@torch.no_grad()"


@pytest.mark.parametrize(
    ("grad", "returned", "given"),
    [("", STRAIGHT, "z"), ("@torch.no_grad()", "rounded", "mean + (z - mean).detach()")],
)
def test_codes_that_are_held_against_what_they_came_from_are_not(
    record: Record, grad: str, returned: str, given: str
) -> None:
    assert not record(quantiser(grad, returned, given), max_steps=None).of("severed")


def test_gradients_pass_straight_through(record: Record) -> None:
    mended = record(
        quantiser("@torch.no_grad()", STRAIGHT), max_steps=None, interventions=[{"name": "straight_through"}]
    )
    assert flat(mended) == pytest.approx(flat(record(quantiser("", STRAIGHT), max_steps=None)), rel=1e-6)


UNDER = "with torch.no_grad(): z = mean + spread * torch.randn(64, 3)"
METHOD = """
@torch.no_grad()
def noisy(mean, spread):
    return mean + spread * torch.randn(64, 3)
"""


@pytest.mark.parametrize(
    ("draw", "more", "name", "code"),
    [(UNDER, "", "forward", UNDER), ("z = noisy(mean, spread)", METHOD, "noisy", "@torch.no_grad()")],
)
def test_a_block_without_gradients_that_the_model_goes_on_from_is_noted(
    record: Record, draw: str, more: str, name: str, code: str
) -> None:
    run = record(coder(draw, more=more), max_steps=None)
    assert [(r["i"], r["how"], r["name"]) for r in run.of("severed")] == [
        (i, "block", name) for i in range(5)
    ]
    site: Any = run.trace.site("severed")
    assert site.code == code == getattr(run.trace.site("cut_in_forward"), "code", None)
    mended = record(coder(draw, more=more), max_steps=None, interventions=[{"name": "inner_gradients"}])
    whole = record(coder("z = mean + spread * torch.randn(64, 3)"), max_steps=None)
    assert flat(mended) == pytest.approx(flat(whole), rel=1e-6)
    assert flat(mended) != flat(run)


@pytest.mark.parametrize(
    ("draw", "given"),
    [
        ("with torch.no_grad(): size = mean.norm()", "mean"),
        ("with torch.no_grad(): size = mean.norm()", "x[:, :3]"),
        ("with torch.no_grad(): z = mean.round()", "mean + (z - mean).detach()"),
        ("with torch.no_grad(): z = torch.rand(64, 3)", "mean + z"),
    ],
)
def test_blocks_that_only_look_are_not(record: Record, draw: str, given: str) -> None:
    assert not record(coder(draw, given), max_steps=None).of("severed")


def test_a_frozen_part_at_the_front_is_not(record: Record) -> None:
    front = CODER.replace(
        "mean, spread = self.down(x)",
        "with torch.no_grad(): first = self.down(x)\n        mean, spread = first",
    )
    assert not record(front.format(draw="z = mean", given="z", more=""), max_steps=None).of("severed")


GATED = """
import torch
import torch.nn.functional as F
from torch import nn
torch.manual_seed(0)
X = torch.rand(64, 8)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.body, self.head = nn.Parameter(torch.rand(8)), nn.Linear(8, 8), nn.Linear(8, 8)
    def forward(self, x):
        soft = torch.sigmoid(self.gate).expand_as(x)
        hard = (soft > 0.6).float()
        h = self.body(x)
        return {returned}
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    opt.zero_grad()
    out = net(X)
    out = out if isinstance(out, torch.Tensor) else out[0]
    (F.mse_loss(out, X) + 0.01 * net.gate.square().mean() + 0.01 * net.body(X).square().mean()).backward()
    opt.step()
"""


def gated(returned: str) -> str:
    return GATED.format(returned=returned)


@pytest.mark.parametrize(
    ("returned", "right"),
    [
        ("self.head(h * soft.detach())", "self.head(h * soft)"),
        ("self.head(h * (hard - soft + soft).detach())", "self.head(h * ((hard - soft).detach() + soft))"),
        ("self.head(h.detach()) * soft", "self.head(h) * soft"),
    ],
)
def test_a_detach_that_leaves_parameters_without_a_way_to_the_answer(
    record: Record, returned: str, right: str
) -> None:
    run = record(gated(returned), max_steps=None)
    rows = run.of("severed")
    assert [(row["i"], row["how"]) for row in rows] == [(i, "detach") for i in (1, 2, 3)]
    names = {run.trace.parameters[p].name.split(".")[0] for p in rows[0]["p"]}
    assert names == ({"body"} if "h.detach" in returned else {"gate"})
    site: Any = run.trace.site("severed")
    assert site.code == f"return {returned}"
    change = {"name": "attach", "file": "train.py", "line": site.line}
    mended = record(gated(returned), max_steps=None, interventions=[change])
    assert flat(mended) == pytest.approx(flat(record(gated(right), max_steps=None)), rel=1e-6)
    assert flat(mended) != flat(run)


@pytest.mark.parametrize(
    "returned",
    [
        "self.head(h * ((hard - soft).detach() + soft))",
        "self.head(h * soft), self.head(h.detach())",
        "self.head(h * soft / soft.detach().norm())",
    ],
)
def test_a_detach_beside_the_way_of_the_signal_is_none(record: Record, returned: str) -> None:
    assert not record(gated(returned), max_steps=None).of("severed")


def test_what_the_recorder_detaches_for_itself_is_no_cut(record: Record) -> None:
    """The loss's arguments are read under the user's line."""
    run = record(gated("self.head(h * soft)"), max_steps=None)
    assert run.trace.site("cut") is None
    assert run.trace.site("cut_in_forward") is None
