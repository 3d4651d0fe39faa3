"""Losses of any form tell what answers are held against; nothing else is taken for a target."""

from __future__ import annotations

from typing import Any

import pytest
from tests.recorder.harness import Record, Recorded

SOURCE = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.randn(80, 6)
z = x.sum(1)
real, yes, side = 3 * z + 20, (z > 0).float(), (z > 0).float() * 2 - 1
count, classes = torch.floor(torch.exp(0.4 * z)), torch.bucketize(z, torch.tensor([-1.0, 1.0]))
soft = F.one_hot(classes, 3) * 0.7 + 0.1
print(*(t[:8].tolist() for t in (real, yes, side, count, classes, soft)), sep="\\n")
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, WIDTH))
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
for k in range(10):
    rows = slice(8 * k, 8 * k + 8)
    r, b, s, n, c, q = (t[rows] for t in (real, yes, side, count, classes, soft))
    o = net(x[rows])
    a = o.squeeze(-1)
    LOSS
    opt.zero_grad(); loss.backward(); opt.step()
"""
LOGITS = "binary_cross_entropy_with_logits"
NAMES = ("real", "yes", "side", "count", "classes", "soft")


def run(record: Record, loss: str, width: int = 1) -> Recorded:
    return record(SOURCE.replace("LOSS", loss).replace("WIDTH", str(width)))


def told(made: Recorded) -> list[Any]:
    """The targets of the first batch as they were recorded; none where none were."""
    first = made.of("sample")[0]
    return [y[0] if isinstance(y, list) and len(y) == 1 else y for y in first.get("y") or ()]


def wanted(made: Recorded, which: str) -> list[Any]:
    return [float(v) for v in made.stdout.splitlines()[NAMES.index(which)].strip("[]").split(", ")]


@pytest.mark.parametrize(
    ("loss", "which", "name"),
    [
        ("loss = torch.sqrt(((a - r) ** 2).mean())", "real", "mse_loss"),
        ("loss = torch.linalg.norm(a - r)", "real", None),
        ("loss = (((r - a) / 9.0) ** 2).mean()", "real", None),
        ("loss = ((a - r).abs() / r.abs()).mean()", "real", None),
        ("loss = torch.log(torch.cosh(a - r)).mean()", "real", None),
        ("d = a - r; loss = (d + F.softplus(-2.0 * d) - 0.6931).mean()", "real", None),
        ("d = a - r; loss = torch.where(d.abs() < 1, 0.5 * d**2, d.abs() - 0.5).mean()", "real", "smooth_l1_loss"),
        ("loss = ((r - a) * (r - a)).mean()", "real", "mse_loss"),
        ("loss = ((1 + b) * (a - r) ** 2).mean()", "real", "mse_loss"),
        ("loss = ((F.softplus(a) - r) ** 2).mean()", "real", "mse_loss"),
        ("p = a.sigmoid(); loss = -(b * p.log() + (1 - b) * (1 - p).log()).mean()", "yes",
         LOGITS),
        ("loss = -(b * F.logsigmoid(a) + (1 - b) * F.logsigmoid(-a)).mean()", "yes", LOGITS),
        ("loss = (F.softplus(a) - b * a).mean()", "yes", LOGITS),
        ("loss = -torch.distributions.Bernoulli(logits=a).log_prob(b).mean()", "yes", LOGITS),
        ("p = a.sigmoid(); loss = 1 - (2 * (p * b).sum() + 1) / (p.sum() + b.sum() + 1)", "yes", None),
        ("loss = F.relu(1 - s * a).mean()", "side", None),
        ("loss = (a.exp() - n * a).mean()", "count", "poisson_nll_loss"),
        ("loss = -torch.distributions.Poisson(a.exp()).log_prob(n).mean()", "count", None),
    ],
)  # fmt: skip
def test_what_answers_are_held_against_is_told(
    record: Record, loss: str, which: str, name: str | None
) -> None:
    made = run(record, loss)
    assert told(made) == pytest.approx(wanted(made, which), rel=1e-3, abs=1e-3)
    assert {row["fn"] for row in made.of("loss")} == ({name} if name else set())
    assert made.of("trouble") == ()


@pytest.mark.parametrize(
    "loss",
    [
        "loss = (0.5 * ((r - o[:, 0]) / o[:, 1].exp()) ** 2 + o[:, 1]).mean()",
        "m, v = o.chunk(2, -1); m, v = m[:, 0], v[:, 0]; loss = ((r - m) ** 2 * torch.exp(-v) + v).mean()",
        "m, v = o.unbind(-1); loss = -torch.distributions.Normal(m, F.softplus(v)).log_prob(r).mean()",
    ],
)
def test_a_likelihood_with_its_own_deviation_tells_its_targets(record: Record, loss: str) -> None:
    made = run(record, loss, width=2)
    assert told(made) == pytest.approx(wanted(made, "real"), rel=1e-3)
    assert not made.of("loss")


@pytest.mark.parametrize(
    ("loss", "name"),
    [
        ("loss = -torch.distributions.Categorical(logits=o).log_prob(c).mean()", "cross_entropy"),
        ("p = o.softmax(-1); loss = -torch.log(p[torch.arange(8), c]).mean()", "cross_entropy"),
        ("p = o.softmax(-1); loss = -(torch.log(p[torch.arange(8), c]).mean() + 0.5 * p.var())", None),
    ],
)
def test_picks_from_probabilities_tell_the_classes(record: Record, loss: str, name: str | None) -> None:
    made = run(record, loss, width=3)
    assert told(made) == wanted(made, "classes")
    assert {row["fn"] for row in made.of("loss")} == ({name} if name else set())


@pytest.mark.parametrize(
    "some", ["[keep]", "[keep.nonzero()[:, 0]]", ".index_select(0, keep.nonzero()[:, 0])"]
)
def test_answers_that_are_picked_tell_their_targets(record: Record, some: str) -> None:
    """A graph that is shown whole, of which the labelled nodes count."""
    held = f"keep = torch.arange(8) % 2 == 0; loss = torch.log(torch.cosh(a{some} - r[keep])).mean()"
    made = run(record, held)
    assert {row["n"] for row in made.of("compared")} == {4}
    square = run(record, f"keep = torch.arange(8) % 2 == 0; loss = ((a{some} - r[keep]) ** 2).mean()")
    assert {row["fn"] for row in square.of("loss")} == {"mse_loss"}
    assert made.of("trouble") == square.of("trouble") == ()


def test_shares_of_classes_are_targets(record: Record) -> None:
    first = run(record, "loss = -(q * o.log_softmax(-1)).sum(-1).mean()", width=3).of("loss")[0]
    assert (first["fn"], first["target"]["shape"]) == ("cross_entropy", [8, 3])


@pytest.mark.parametrize(
    "loss",
    [
        "loss = (torch.randn(8) * o.log_softmax(-1)[torch.arange(8), c]).mean()",  # rewards of actions
        "loss = (torch.rand(8) * o.log_softmax(-1)[torch.arange(8), c]).mean()",
        "loss = (torch.randn(8) * (o[:, 0] - r) ** 2).mean()",
        "loss = ((o[:, 0] - r) ** 2).mean() + ((o[:, 1] - b) ** 2).mean()",  # two things
        "loss = (torch.rand(8) * o[:, 0].square()).mean()",  # weights of a penalty
        "loss = (torch.rand(8, 3) * o).mean()",
        "loss = (o[:, 0] - r).abs().mean() + (o[:, 1] - 2.0).square().mean() + (o[:, 2] - b).abs().mean()",
    ],
)  # fmt: skip
def test_rewards_weights_and_several_things_are_no_targets(record: Record, loss: str) -> None:
    made = run(record, loss, width=3)
    assert told(made) == []
    assert not made.of("loss")
    assert made.of("trouble") == ()


def test_what_is_added_to_each_class_alike_is_no_part_of_the_answer(record: Record) -> None:
    """Logit adjustment: the loss gets scores that favour the first class, the model's own do not."""

    def answered(added: str) -> list[Any]:
        loss = f"loss = F.cross_entropy(o + {added}, c)"
        return list(run(record, loss, width=3).of("sample")[0]["p"])

    assert answered("torch.tensor([50.0, 0.0, 0.0])") == answered("torch.tensor([0.0, 0.0, 50.0])")
    assert answered("50.0 * F.one_hot(c, 3)") != answered("50.0 * F.one_hot(2 - c, 3)"), "of each sample"


def test_the_same_line_is_the_same_loss(record: Record) -> None:
    """An absolute difference, until a penalty joins it."""
    loss = "loss = (torch.sqrt((a - r) ** 2 + 1e-9) + 1.0 * (k > 3) * a**2).mean()"
    made = run(record, loss)
    assert {row["fn"] for row in made.of("loss")} == {"l1_loss"}
    assert len(made.of("loss")) == len(made.of("sample"))


def test_functions_that_are_tried_are_no_losses_of_an_evaluation(record: Record) -> None:
    held = "with torch.no_grad(): net(x[72:])\n    o = net(x[rows]); a = o.squeeze(-1)\n    "
    made = run(record, held + "loss = torch.log(torch.cosh(a - r)).mean()")
    rows = made.of("eval")
    assert rows
    assert not any(row["loss"] for row in rows)
