"""Losses that the script writes out are read from their graph, and as neutral as the others."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.recorder.harness import Record, Recorded

REGRESSION = """
import torch
from torch import nn
torch.manual_seed(0)
x, held = torch.randn(64, 6), torch.randn(40, 6)
y, y_held = x.sum(1, keepdim=True) * 3 + 5, held.sum(1, keepdim=True) * 3 + 5
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
for k in range(8):
    rows = slice(8 * k, 8 * k + 8)
    LOSS
    opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        print(float((net(held) - y_held).abs().mean()))
"""
CLASSES = REGRESSION.replace("x.sum(1, keepdim=True) * 3 + 5", "(x.sum(1) > 0).long()").replace(
    "nn.Linear(16, 1)", "nn.Linear(16, 2)"
)


def run(record: Record, source: str, loss: str) -> Recorded:
    return record(source.replace("    LOSS", dedent(loss).replace("\n", "\n    ").join(("    ", ""))))


@pytest.mark.parametrize(
    ("loss", "name", "reduction"),
    [
        ("loss = ((net(x[rows]) - y[rows]) ** 2).mean()", "mse_loss", "mean"),
        ("loss = (y[rows] - net(x[rows])).pow(2).mean()", "mse_loss", "mean"),
        ("loss = torch.square(net(x[rows]).squeeze(1) - y[rows, 0]).mean()", "mse_loss", "mean"),
        ("d = net(x[rows]) - y[rows]; loss = torch.mean(d * d)", "mse_loss", "mean"),
        ("loss = 0.5 * ((net(x[rows]) - y[rows]) ** 2).sum(-1).mean()", "mse_loss", "mean"),
        ("loss = ((net(x[rows]) - y[rows]) ** 2).sum() / 8", "mse_loss", "mean"),
        ("loss = (net(x[rows]) - y[rows]).abs().mean()", "l1_loss", "mean"),
        (
            "loss = ((net(x[rows]) - y[rows]) ** 2).mean() + 1e-3 * net[0].weight.pow(2).sum()",
            "mse_loss",
            "mean",
        ),
    ],
)
def test_a_difference_gives_the_targets(record: Record, loss: str, name: str, reduction: str) -> None:
    rows = run(record, REGRESSION, loss).of("loss")
    assert {(r["fn"], r["reduction"], r["by_hand"]) for r in rows} == {(name, reduction, True)}
    first = rows[0]
    assert first["target"]["mean"] == pytest.approx(5.0, abs=8.0)
    assert first["target"]["std"] > 3.0
    assert first["in"]["std"] < 1.0


@pytest.mark.parametrize(
    "loss",
    [
        "p = net(x[rows]).log_softmax(1); loss = -p[torch.arange(8), y[rows]].mean()",
        "p = torch.log_softmax(net(x[rows]), -1); loss = -p.gather(1, y[rows].unsqueeze(1)).mean()",
        "p = net(x[rows]).log_softmax(1); loss = p.gather(1, y[rows][:, None]).squeeze(1).neg().mean()",
        "p = net(x[rows]).log_softmax(1); loss = -(nn.functional.one_hot(y[rows], 2) * p).sum(1).mean()",
    ],
)
def test_picked_log_probabilities_give_the_classes(record: Record, loss: str) -> None:
    recorded = run(record, CLASSES, loss)
    rows = recorded.of("loss")
    assert {(r["fn"], r["reduction"]) for r in rows} == {("nll_loss", "mean")}
    assert set(rows[0]["target"]["hist"]) <= {"0", "1"}
    assert sum(rows[0]["target"]["hist"].values()) == 8
    assert all(step.accuracy is not None for step in recorded.trace.steps)


@pytest.mark.parametrize(
    "loss",
    [
        "d = net(x[rows]) - y[rows]; loss = (d ** 2).mean() + d.abs().mean()",
        "loss = ((net(x[rows]) - 1.0) ** 2).mean()",
        "loss = ((net(x[rows]) - torch.ones(8, 1)) ** 2).mean()",
        "loss = ((net(x[rows]) - net(x[:8])) ** 2).mean()",
        "loss = ((net(x[rows]) - y[rows]) ** 4).mean()",
        "loss = ((net(x[rows]) - y[rows, 0]) ** 2).mean()",
    ],
)
def test_what_is_not_plain_is_not_guessed(record: Record, loss: str) -> None:
    recorded = run(record, REGRESSION, loss)
    assert recorded.of("loss") == ()
    assert recorded.of("trouble") == ()
    assert len(recorded.trace.steps) == 8


def test_a_call_of_a_loss_function_goes_first(record: Record) -> None:
    rows = run(record, REGRESSION, "loss = nn.functional.mse_loss(net(x[rows]), y[rows])").of("loss")
    assert {r["by_hand"] for r in rows} == {False}


def test_held_out_samples_get_the_same_loss(record: Record) -> None:
    recorded = run(record, REGRESSION, "loss = ((net(x[rows]) - y[rows]) ** 2).mean()")
    (value, count, _), *_ = recorded.of("eval")[-1]["own"]
    assert count == 40
    assert value > 0.0


TOKENS = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(64, 5, 6)
y = (x.sum(-1) > 0).long() + 1
y[:, 3:] = -100
net = nn.Linear(6, 4)
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
for k in range(8):
    rows = slice(8 * k, 8 * k + 8)
    p, t = net(x[rows]).log_softmax(-1), y[rows]
    LOSS
    opt.zero_grad(); loss.backward(); opt.step()
"""
PICKED = "q = p.gather(-1, t.clamp_min(0).unsqueeze(-1)).squeeze(-1)"


@pytest.mark.parametrize("mask", ["(t != -100)", "(t != -100).float()"])
def test_what_a_mask_leaves_out_of_a_sequence_is_told(record: Record, mask: str) -> None:
    recorded = run(record, TOKENS, f"{PICKED}; keep = {mask}; loss = -(q * keep).sum() / keep.sum()")
    first = recorded.of("loss")[0]
    assert first["fn"] == "nll_loss"
    assert first["target"]["shape"] == [40]
    assert sum(n for v, n in first["target"]["hist"].items() if v == "-100") == 16
    assert first["value"] == pytest.approx(recorded.trace.steps[0].losses[0], rel=1e-4)


def test_what_is_not_counted_is_no_class_without_its_mask(record: Record) -> None:
    first = run(record, TOKENS, f"{PICKED}; loss = -q.mean()").of("loss")[0]
    assert first["target"]["hist"].get("0") == 16


def test_weights_of_samples_are_no_mask(record: Record) -> None:
    for weights in ("torch.rand(8, 5)", "torch.tensor([0.0, 1.0]).repeat(20).reshape(8, 5)"):
        assert run(record, TOKENS, f"{PICKED}; loss = -(q * {weights}).mean()").of("loss") == ()


SEVERAL = REGRESSION.replace("nn.Linear(16, 1)", "nn.Linear(16, 3)")
LEVELS = "q = torch.tensor([0.1, 0.5, 0.9])"


@pytest.mark.parametrize(
    ("source", "loss"),
    [
        (SEVERAL, f"{LEVELS}; r = y[rows] - net(x[rows]); loss = torch.maximum(q * r, (q - 1) * r).sum(1).mean()"),
        (SEVERAL, f"{LEVELS}; r = y[rows] - net(x[rows]); loss = torch.max((q - 1) * r, q * r).mean()"),
        (REGRESSION, "r = net(x[rows]).squeeze(1) - y[rows, 0]; loss = torch.max(0.2 * r, -0.8 * r).mean()"),
    ],
)  # fmt: skip
def test_a_quantile_loss_tells_which_target_belongs_to_which_input(
    record: Record, source: str, loss: str
) -> None:
    made = run(
        record,
        source.replace("print(", "print(y[:8, 0].tolist(), "),
        loss,
    )
    first = made.of("sample")[0]
    wanted = [float(v) for v in made.stdout.split("]")[0].strip("[").split(", ")]
    assert [y for (y,) in first["y"]] == pytest.approx(wanted, rel=1e-3)
    assert not made.of("loss"), "the level of the loss says nothing of one answer's error"


BY_HAND = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.randn(96, 4)
y = x.sum(1)
net = nn.Linear(4, 1)
for k in range(12):
    rows = slice(8 * k, 8 * k + 8)
    loss = LOSS
    net.zero_grad()
    loss.backward()
    MORE
    for p in net.parameters():
        p.data -= 0.1 * p.grad
"""


@pytest.mark.parametrize(
    "loss", ["F.mse_loss(net(x[rows])[:, 0], y[rows])", "((net(x[rows])[:, 0] - y[rows]) ** 2).mean()"]
)
@pytest.mark.parametrize("more", ["pass", "net(x[rows])"])
def test_updates_by_hand_keep_each_batch_with_its_targets(record: Record, loss: str, more: str) -> None:
    """The next batch is shown before the next backward pass tells that the parameters have moved."""
    made = record(BY_HAND.replace("LOSS", loss).replace("MORE", more))
    batches = [r for r in made.of("sample") if r["grad"]]
    assert [row["i"] for row in batches] == sorted({row["i"] for row in batches})
    assert len(batches) >= 4
    for row in batches:
        told = [y[0] if isinstance(y, list) else y for y in row["y"]]
        assert told == pytest.approx([sum(values) for values in row["x"]], abs=0.01)
