"""Loss classes of the script's own are losses, not a second call of the model."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change, Record

from lossdoctor.detectors.catalogue import apply, detectors
from lossdoctor.model import Finding

SOURCE = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x = torch.randn(96, 5)
y = 3 * x.sum(1, keepdim=True) + 20
CLASS
net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = Criterion()
opt = torch.optim.SGD([*net.parameters(), *criterion.parameters()], lr=1e-3)
for step in range(8):
    rows = slice(8 * step, 8 * step + 8)
    loss = CALL
    opt.zero_grad(); loss.backward(); opt.step()
    if step % 4 == 3:
        with torch.no_grad():
            held = net(x[80:])
            print(HELD.mean().item())
"""
HELD = "criterion(held, y[80:])"
WHOLE = "criterion(net(x[rows]), y[rows])"
SQUARE = """
class Criterion(nn.Module):
    def forward(self, answer, target):
        return ((answer - target) ** 2).mean()
"""
LOGCOSH = SQUARE.replace("((answer - target) ** 2)", "torch.log(torch.cosh(answer - target))")
LEARNT = """
class Criterion(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_variance = nn.Parameter(torch.zeros(1))
    def forward(self, answer, target):
        return ((answer - target) ** 2 * torch.exp(-self.log_variance) + self.log_variance).mean()
"""
EACH = SQUARE.replace(".mean()", "").replace("Criterion", "SquaredLoss") + "\nCriterion = SquaredLoss\n"
INNER = SQUARE.replace(
    "((answer - target) ** 2).mean()", "F.smooth_l1_loss(answer, target) + 0.0 * answer.mean()"
)


def source(kind: str, call: str = WHOLE, held: str = HELD) -> str:
    return SOURCE.replace("CLASS", kind).replace("CALL", call).replace("HELD", held)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (SQUARE, WHOLE), (LOGCOSH, WHOLE), (LEARNT, WHOLE), (INNER, WHOLE), (EACH, WHOLE + ".mean()"),
        (LOGCOSH, "criterion(target=y[rows], answer=net(x[rows]))"),
    ],
)  # fmt: skip
def test_a_loss_class_is_no_model(record: Record, kind: str, call: str) -> None:
    held = "criterion(target=y[80:], answer=held)" if "answer=" in call else HELD
    made = record(source(kind, call, held))
    assert made.of("trouble") == ()
    assert {tuple(row["shape"]) for row in made.of("sample")} == {(5,)}, "inputs without answers and targets"
    assert {row["module"] for row in made.of("forward")} == {"Sequential"}
    training = [row for row in made.of("sample") if row["grad"]]
    assert [y[0] for y in training[0]["y"]] == pytest.approx([y[0] for y in targets()[:8]], rel=1e-3)
    evaluated = [row for row in made.of("sample") if not row["grad"]]
    assert [y[0] for y in evaluated[0]["y"]] == pytest.approx([y[0] for y in targets()[80:]], rel=1e-3)


def targets() -> list[list[float]]:
    import torch

    torch.manual_seed(0)
    x = torch.randn(96, 5)
    return [[float(v)] for v in 3 * x.sum(1) + 20]


@pytest.mark.parametrize("kind", [SQUARE, LOGCOSH, INNER])
def test_its_held_out_values_are_those_of_the_evaluation(record: Record, kind: str) -> None:
    made = record(source(kind))
    known = [row["loss"][0] if row["loss"] else row["own"][0][0] for row in made.of("eval")]
    assert known == pytest.approx([float(v) for v in made.stdout.split()], rel=1e-3)


FOCAL = """
class Criterion(nn.Module):
    def forward(self, answer, target):
        each = F.mse_loss(answer, target, reduction="none")
        return (each * each.sqrt()).mean()
"""


def test_another_measure_beside_it_is_no_held_out_loss(record: Record) -> None:
    """Cross-entropy printed beside the focal loss that training goes down."""
    more = "F.mse_loss(held, y[80:]).add(0 * criterion(held, y[80:]))"
    made = record(source(FOCAL, held=f"({more}, criterion(held, y[80:]))[1]"))
    known = [row["loss"] for row in made.of("eval")]
    assert {len(values) for values in known} == {2}
    assert [v[-1] for v in known] == pytest.approx([float(v) for v in made.stdout.split()], rel=1e-3)
    assert known[0][0] == pytest.approx(known[0][1])


def test_an_answer_without_gradient_may_be_judged_outside_of_the_block(record: Record) -> None:
    held = "criterion(held, y[80:])"
    outside = SOURCE.replace("            print(HELD.mean().item())", "        print(HELD.mean().item())")
    made = record(outside.replace("CLASS", LOGCOSH).replace("CALL", WHOLE).replace("HELD", held))
    assert {row["module"] for row in made.of("forward")} == {"Sequential"}
    assert [row["loss"][0] for row in made.of("eval")] == pytest.approx(
        [float(v) for v in made.stdout.split()], rel=1e-3
    )


def test_a_part_of_the_loss_is_no_held_out_loss(record: Record) -> None:
    """Training goes down more than the class makes, so its value is another measure."""
    more = WHOLE + " + net[0].weight.square().sum()"
    made = record(source(LOGCOSH, more))
    assert not any(row["loss"] for row in made.of("eval"))
    whole = record(source(LOGCOSH))
    assert all(row["loss"] for row in whole.of("eval"))


def test_other_modules_without_weights_go_on_from_the_answer(record: Record) -> None:
    """What pools or normalises the answer is part of the model: its output is the answer."""
    pooled = "F.mse_loss(criterion(net(x[rows]), x[rows]), y[rows])"
    kind = SQUARE.replace("((answer - target) ** 2).mean()", "answer * 2.0").replace("Criterion", "Pool")
    made = record(source(kind + "\nCriterion = Pool\n", pooled))
    assert {row["module"] for row in made.of("forward")} == {"Sequential", "Pool"}


def test_interventions_leave_losses_alone(change: Change) -> None:
    """Standardised inputs are those of the model, not answers and targets."""
    plain, changed = change(source(SQUARE)), change(source(SQUARE), "standardise_inputs")
    first, other = (run.losses[0] for run in (plain, changed))
    assert other == pytest.approx(first, rel=0.2)
    assert other != first


TAGGER = """
import torch
from torch import nn
torch.manual_seed(0)
class Smoothed(nn.Module):
    def forward(self, scores, tags, asked):
        shares = scores.log_softmax(-1)
        each = -shares.gather(-1, tags.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        return ((0.9 * each - 0.1 * shares.mean(-1)) * asked).sum() / asked.sum()
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head, self.loss = nn.Embedding(20, 8), nn.Linear(8, 4), Smoothed()
    def forward(self, words, tags=None):
        scores = self.head(self.embed(words))
        return scores if tags is None else (self.loss(scores, tags, (words != 0).float()), scores)
net = Tagger()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(6):
    words = torch.randint(1, 20, (16, 9))
    tags = words % 4
    words[:, 6:], tags[:, 6:] = 0, -1
    loss, _ = net(words, tags)
    opt.zero_grad(); loss.backward(); opt.step()
"""


def test_tags_that_a_model_gets_for_its_loss_are_no_input(record: Record) -> None:
    """The loss puts another class where nothing is asked for."""
    run = record(TAGGER)
    assert run.of("trouble") == ()
    assert not isinstance(apply(detectors()["target_leakage"], run.trace), Finding)
