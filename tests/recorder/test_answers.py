"""Evaluations written by hand: the targets are found beside the inputs, and the training loss is taken on them."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

HEAD = """
from collections import namedtuple
from types import SimpleNamespace
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x_train, x_val = torch.randn(64, 4), torch.randn(32, 4)
y_train, y_val = x_train.sum(1), x_val.sum(1) + 1
def fit():
    for rows in torch.arange(64).split(16):
        opt.zero_grad()
        nn.functional.mse_loss(net(x_train[rows]).squeeze(-1), y_train[rows]).backward()
        opt.step()
fit()
"""
STYLES = {
    "arguments": """
def error(m, inputs, wanted):
    with torch.no_grad():
        return (m(inputs).squeeze(-1) - wanted).abs().mean()
print(error(net, x_val, y_val).item())
""",
    "fields of a tuple": """
Part = namedtuple("Part", "inputs wanted")
def error(m, part):
    with torch.inference_mode():
        return (m(part.inputs).squeeze(-1) - part.wanted).abs().mean()
print(error(net, Part(x_val, y_val)).item())
""",
    "attributes of an object": """
def error(m, part):
    with torch.no_grad():
        return (m(part.inputs).squeeze(-1) - part.wanted).abs().mean()
print(error(net, SimpleNamespace(inputs=x_val, wanted=y_val)).item())
""",
    "names that go together": """
y_other = torch.zeros(32)
with torch.no_grad():
    print((net(x_val).squeeze(-1) - y_val).abs().mean().item())
""",
}
EXPECTED = "print('loss:', nn.functional.mse_loss(net(x_val).squeeze(-1), y_val).item())\n"


@pytest.mark.parametrize("style", STYLES)
def test_the_targets_of_an_evaluation_by_hand_are_found(record: Record, style: str) -> None:
    run = record(HEAD + EXPECTED + STYLES[style])
    (row,) = run.trace.of("eval")
    assert row["loss"] == []
    ((value, count, seen),) = row["own"]
    wanted = float(run.stdout.split()[1])
    assert (count, seen) == (32, 0.0)
    assert value == pytest.approx(wanted, rel=1e-5)


def test_an_evaluation_of_training_samples_is_told_from_a_held_out_one(record: Record) -> None:
    text = HEAD + "with torch.no_grad():\n    a, b = net(x_train), net(x_val)\n"
    (row,) = record(text).trace.of("eval")
    assert [(n, seen) for _, n, seen in row["own"]] == [(64, 1.0), (32, 0.0)]


def test_two_tensors_that_may_both_be_the_targets_decide_nothing(record: Record) -> None:
    text = (
        HEAD
        + "def look(m, q, a, b):\n    with torch.no_grad():\n        return m(q), a, b\n"
        + "look(net, x_val, y_val, y_val + 1)\n"
    )
    (row,) = record(text).trace.of("eval")
    assert row["own"] == []


def test_predictions_that_are_changed_before_the_training_loss_are_not_judged_by_it(record: Record) -> None:
    text = HEAD.replace("net(x_train[rows]).squeeze(-1)", "torch.sigmoid(net(x_train[rows])).squeeze(-1)")
    (row,) = record(text + STYLES["arguments"]).trace.of("eval")
    assert row["own"] == []


def test_a_loss_of_the_script_itself_is_not_taken_twice(record: Record) -> None:
    text = HEAD + "with torch.no_grad():\n    nn.functional.mse_loss(net(x_val).squeeze(-1), y_val)\n"
    (row,) = record(text).trace.of("eval")
    assert (len(row["loss"]), row["own"], row["seen"]) == (1, [], [0.0])


def test_losses_that_are_computed_after_all_calls_belong_to_their_own(record: Record) -> None:
    text = HEAD + (
        "with torch.no_grad():\n    own, held = net(x_train), net(x_val)\n"
        "    nn.functional.mse_loss(own.squeeze(-1), y_train)\n    nn.functional.mse_loss(held.squeeze(-1), y_val)\n"
    )
    (row,) = record(text).trace.of("eval")
    assert row["seen"] == [1.0, 0.0]
    assert [n for n, _ in row["loss_of"]] == [64, 32]


def test_a_model_that_returns_one_number_for_all_samples_is_let_through(record: Record) -> None:
    text = HEAD + "class Total(nn.Module):\n    def forward(self, x):\n        return net(x).sum()\n"
    run = record(text + "with torch.no_grad():\n    print(Total()(x_val).shape)\n")
    assert (run.stop, run.status, run.of("trouble")) == ("script_end", 0, ())


def test_sample_numbers_of_a_split_are_no_class_numbers(record: Record) -> None:
    source = """
import torch
from torch import nn
torch.manual_seed(0)
X, y = torch.randn(96, 4), torch.arange(96) % 3
order = torch.randperm(96)
held, rest = order[:32], order[32:]
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in rest.split(16):
    opt.zero_grad()
    nn.functional.cross_entropy(net(X[rows]), y[rows]).backward()
    opt.step()
with torch.no_grad():
    logits = net(X[held])
    print((logits.argmax(-1) == y[held]).float().mean().item())
"""
    run = record(source, max_steps=None)
    assert not run.of("trouble")
    by_loss = record(source + "    nn.functional.cross_entropy(logits, y[held])\n", max_steps=None)
    (row,) = [r for r in by_loss.of("sample") if not r["grad"]]
    assert set(row["y"]) == {0, 1, 2}


PRINTED = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y, held, truth = torch.randn(64, 4), torch.randint(0, 3, (64,)), torch.randn(30, 4), torch.randint(0, 3, (30,))
for k in range(4):
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        out = net(held)
    print("val", float(F.cross_entropy(out, truth)), float((out.argmax(1) == truth).double().mean()))
"""


def test_accuracy_of_an_evaluation_comes_from_its_own_loss_call(record: Record) -> None:
    run = record(PRINTED)
    printed = [float(line.split()[2]) for line in run.stdout.splitlines()]
    assert [row["acc"] for row in run.of("eval")] == [[pytest.approx(p)] for p in printed]
    assert [row["n"] for row in run.of("eval")] == [[30]] * 4


def test_answers_to_training_samples_are_kept_on_sampled_steps(record: Record) -> None:
    rows = record(PRINTED).of("answered")
    assert [(r["i"], r["grad"], len(r["y"]), len(r["p"]), len(r["m"])) for r in rows] == [
        (i, True, 64, 64, 64) for i in range(1, 5)
    ]


ARRAY = """
def error(m, inputs):
    with torch.no_grad():
        return m(inputs).squeeze(-1).numpy()
held = y_val.double().numpy()
for _ in range(2):
    pred = error(net, x_val)
    print(abs(pred - held).mean())
"""


def test_targets_may_be_an_array_but_not_what_was_predicted_before(record: Record) -> None:
    run = record(HEAD + EXPECTED + ARRAY)
    (row,) = run.trace.of("eval")
    wanted = float(run.stdout.split()[1])
    assert [value for value, *_ in row["own"]] == pytest.approx([wanted, wanted])
    only = ARRAY.replace("held = y_val.double().numpy()\n", "").replace("abs(pred - held)", "pred")
    head = HEAD.replace("y_train, y_val = x_train.sum(1), x_val.sum(1) + 1", "y_train = x_train.sum(1)")
    assert record(head + only).trace.of("eval")[0]["own"] == []


def test_measurements_in_another_unit_are_no_targets_of_the_answers(record: Record) -> None:
    style = STYLES["arguments"].replace("error(net, x_val, y_val)", "error(net, x_val, y_val * 40 + 3)")
    (row,) = record(HEAD + style).trace.of("eval")
    assert row["own"] == []


PASSED = """
import numpy as np
def error(m, inputs, wanted):
    with torch.no_grad():
        return np.abs(m(inputs).squeeze(-1).numpy() - wanted).mean()
print(error(net, x_val, y_val.numpy()))
"""
LOADED = """
from torch.utils.data import DataLoader, TensorDataset
with torch.no_grad():
    print(sum((net(a).squeeze(-1) - b).abs().sum().item() for a, b in DataLoader(TensorDataset(x_val, y_val), 32)))
"""


@pytest.mark.parametrize("style", [PASSED, LOADED])
def test_targets_are_seen_as_arrays_that_are_passed_on_and_as_batches(record: Record, style: str) -> None:
    run = record(HEAD + EXPECTED + style)
    (row,) = run.trace.of("eval")
    assert [value for value, *_ in row["own"]] == pytest.approx([float(run.stdout.split()[1])])


def test_batches_of_targets_in_another_unit_are_not_judged(record: Record) -> None:
    (row,) = record(HEAD + LOADED.replace("(x_val, y_val)", "(x_val, y_val * 40 + 3)")).trace.of("eval")
    assert row["own"] == []


ENCODED = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.arange(96) % 3
encoder, head = nn.Linear(6, 5), nn.Linear(5, 3)
opt = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
for k in range(4):
    rows = slice(16 * k, 16 * k + 16)
    opt.zero_grad()
    nn.functional.cross_entropy(head(encoder(x[rows])), y[rows]).backward()
    opt.step()
with torch.no_grad():
    held, wanted = x[64:], y[64:]
    out = {held}
"""


@pytest.mark.parametrize(("held", "scored"), [("encoder(held)", False), ("head(encoder(held))", True)])
def test_features_are_no_scores_of_classes(record: Record, held: str, scored: bool) -> None:
    run = record(ENCODED.format(held=held))
    assert bool(run.of("scored")) is scored


def test_the_targets_of_bags_are_looked_up_by_the_number_of_bags(record: Record) -> None:
    run = record("""
    import torch
    from torch import nn
    torch.manual_seed(0)
    class Bags(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.out = nn.EmbeddingBag(30, 8), nn.Linear(8, 3)
        def forward(self, ids, offsets):
            return self.out(self.words(ids, offsets))
    net = Bags()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    def batch(count):
        return torch.randint(30, (count * 5,)), torch.arange(count) * 5, torch.randint(3, (count,))
    for _ in range(3):
        ids, offsets, labels = batch(16)
        opt.zero_grad()
        nn.functional.cross_entropy(net(ids, offsets), labels).backward()
        opt.step()
    def report():
        ids, offsets, labels = batch(40)
        with torch.no_grad():
            print((net(ids, offsets).argmax(1) == labels).float().mean())
    report()
    """)
    (scored,) = run.trace.of("scored")
    assert len(scored["y"]) == 40
    assert run.trace.of("eval")[0]["own"][0][1] == 40


@pytest.mark.parametrize(("off", "own"), [(0.5, True), (4.0, False)])
def test_targets_with_another_mean_may_be_in_another_unit(record: Record, off: float, own: bool) -> None:
    """Measurements of about the same spread that a script has standardised for training alone."""
    told = STYLES["arguments"].replace("error(net, x_val, y_val)", f"error(net, x_val, y_val + {off})")
    (row,) = record(HEAD + told).of("eval")
    assert bool(row["own"]) is own


def test_targets_in_another_unit_are_kept_apart(record: Record) -> None:
    """What near inputs foretell has no unit."""
    raw = STYLES["arguments"].replace("error(net, x_val, y_val)", "error(net, x_val, 1000 * y_val + 7)")
    run = record(HEAD + raw)
    assert run.of("eval")[0]["own"] == []
    (row,) = [r for r in run.of("sample") if not r["grad"]]
    assert "y" not in row
    told = [row["z"][k][0] for k in range(8)]
    plain = next(r for r in record(HEAD + STYLES["arguments"]).of("sample") if not r["grad"])
    assert told == pytest.approx([1000 * y[0] + 7 for y in plain["y"][:8]], rel=1e-2)
