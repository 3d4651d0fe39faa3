"""Labels beside their inputs as the script holds them, row by row: which order they go in."""

from __future__ import annotations

from typing import Any

import pytest
from tests.recorder.harness import Record

BEGIN = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset
g = torch.Generator().manual_seed(1)
x = torch.randn(400, 3, generator=g)
y = x[:, 0] - 2 * x[:, 1]
{damage}
"""
BY_HAND = """
order = torch.randperm(400)
tr = order[:300]
xs, ys = x[tr], ((y - y.mean()) / y.std())[tr]
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.arange(300).split(30):
    opt.zero_grad()
    nn.functional.mse_loss(net(xs[rows]).squeeze(1), ys[rows]).backward()
    opt.step()
"""
CLASSES = """
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def loaders():
    data = TensorDataset(x, (y > 0).long())
    return DataLoader(Subset(data, torch.randperm(400)[:300].tolist()), 30, shuffle=True)
def fit(loader):
    for a, b in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(a), b).backward()
        opt.step()
fit(loaders())
"""
TEXT = "sorted(range(400), key=str)"
DAMAGES = {
    "as it is": ("", "0"),
    "one row is missing": ("y = torch.cat([y[:1] * 0, y[:-1]])", "1"),
    "from the end": ("y = y.flip(0)", "reversed"),
    "inputs sorted as text": (f"x = x[torch.tensor({TEXT})]", "as text"),
    "labels sorted as text": (f"y = y[torch.tensor({TEXT})]", "as numbers"),
    "inputs sorted as text from 1": (
        "x = x[torch.tensor(sorted(range(1, 401), key=str)) - 1]",
        "as text from 1",
    ),
}


def scores(record: Record, source: str, **more: Any) -> dict[str, float]:
    """Those of all rows together."""
    (row,) = record(source, **more).of("pairing")
    assert (row["n"], row["parts"][0]["to"]) == (400, 400)
    return dict(row["parts"][0]["scores"])


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("script", [BY_HAND, CLASSES])
def test_labels_are_foretold_in_the_order_that_they_belong_in(
    record: Record, script: str, damage: str
) -> None:
    change, order = DAMAGES[damage]
    found = scores(record, BEGIN.format(damage=change) + script)
    best = max(found, key=lambda name: found[name])
    assert best == order
    assert found[best] > 0.6
    assert all(value < found[best] - 0.3 for name, value in found.items() if name != best)


def test_only_the_part_that_is_out_of_order_shows_it(record: Record) -> None:
    source = BEGIN.format(damage="y = torch.cat([y[:250], y[251:], y[:1]])") + BY_HAND
    (row,) = record(source).of("pairing")
    first, last = row["parts"][3], row["parts"][6]
    assert first["scores"]["0"] > 0.6 > 0.1 > first["scores"]["-1"]
    assert last["scores"]["-1"] > 0.6 > 0.1 > last["scores"]["0"]


@pytest.mark.parametrize("damage", ["x, y = x[:100], y[:100]", "rows = list(zip(x, y)); x = y = None"])
def test_without_two_variables_of_many_rows_there_is_nothing_to_look_at(record: Record, damage: str) -> None:
    source = BEGIN.format(damage="xs, ys = x[:60] + 0, y[:60] + 0\n" + damage) + (
        "net = nn.Linear(3, 1)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for i in range(5):\n    opt.zero_grad()\n"
        "    nn.functional.mse_loss(net(xs).squeeze(1), ys).backward()\n    opt.step()\n"
    )
    assert record(source).of("pairing") == ()


@pytest.mark.parametrize(
    "kind", ["n.setflags(write=False)", "n = n[::-1]", "n = n.astype('>f4')", "n[5] = n[9] = float('nan')"]
)
def test_arrays_of_any_kind_do_no_harm(record: Record, kind: str) -> None:
    source = BEGIN.format(damage=f"import numpy\nn = y.numpy().copy()\n{kind}") + BY_HAND
    run = record("import warnings\nwarnings.simplefilter('error')\n" + source)
    assert (run.status, run.of("trouble")) == (0, ())
    assert len(run.of("pairing")) == 1


def test_what_follows_in_time_is_told_from_rows_in_any_order(record: Record) -> None:
    still = record(BEGIN.format(damage="") + BY_HAND).of("pairing")[0]
    walk = record(BEGIN.format(damage="x = x.cumsum(0)") + BY_HAND).of("pairing")[0]
    assert still["drift"] > 0.9 > 0.3 > walk["drift"]
    past = record(BEGIN.format(damage="x[1:, 2] = y[:-1]") + BY_HAND).of("pairing")[0]
    assert past["echo"] > 0.99 > 0.5 > still["echo"]


@pytest.mark.parametrize("damage", ["from the end", "one row is missing", "inputs sorted as text"])
@pytest.mark.parametrize("script", [BY_HAND, CLASSES])
def test_labels_that_are_put_back_let_the_loss_fall(record: Record, script: str, damage: str) -> None:
    change, order = DAMAGES[damage]
    source = BEGIN.format(damage=change) + script.replace("0.1", "0.5")
    again = {"name": "pair_again", "order": order, "start": 0, "end": 400}
    plain, changed = record(source, max_steps=10), record(source, max_steps=10, interventions=[again])
    assert changed.losses[0] != plain.losses[0]
    assert changed.losses[-1][0] < 0.5 * plain.losses[-1][0]


SHAKEN = """
import numpy
labels = (y > 0).long().numpy().copy()
y = torch.from_numpy(labels)
order = torch.randperm(400)
tr, va = order[:300], order[300:]
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(2):
    for rows in tr.split(30):
        opt.zero_grad()
        shaken = x[rows] + 0.1 * torch.randn(30, 3)
        nn.functional.cross_entropy(net(shaken), y[rows]).backward()
        opt.step()
    with torch.no_grad():
        print(nn.functional.cross_entropy(net(x[va]), y[va]).item())
"""


def test_held_out_rows_tell_the_order_of_data_that_training_augments(record: Record) -> None:
    change, order = DAMAGES["labels sorted as text"]
    (row,) = record(BEGIN.format(damage=change) + SHAKEN, max_steps=None).of("pairing")
    found = row["parts"][0]["scores"]
    assert max(found, key=lambda name: found[name]) == order
    assert row["mark"] is not None


def test_labels_behind_augmentation_are_put_back_where_the_script_holds_them(record: Record) -> None:
    change, order = DAMAGES["labels sorted as text"]
    source = BEGIN.format(damage=change) + SHAKEN
    plain = record(source, max_steps=None)
    (row,) = plain.of("pairing")
    again = {"name": "pair_again", "order": order, "mark": row["mark"], "count": row["n"]}
    changed = record(source, max_steps=None, interventions=[again])
    other = record(source, max_steps=None, interventions=[{**again, "mark": row["mark"] + 1}])
    assert changed.losses[-1][0] < 0.7 * plain.losses[-1][0]
    assert float(changed.stdout.split()[-1]) < 0.7 * float(plain.stdout.split()[-1])
    assert other.losses == plain.losses


SCALED = """
x = x * torch.tensor([3.0, 0.2, 40.0]) + torch.tensor([100.0, -2.0, 7.0])
labels = (y > 0).long()
order = torch.randperm(400)
tr, va = order[:300], order[300:]
mean, std = x[tr].mean(0), x[tr].std(0)
data = {{k: ((x[r] - mean) / std, labels[r].clone()) for k, r in (("fit", tr), ("held", va))}}
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
def epoch(inputs, targets):
    for rows in torch.arange(300).split(30):
        opt.zero_grad()
        given = inputs[rows] + {noise} * torch.randn(30, 3)
        nn.functional.cross_entropy(net(given), targets[rows]).backward()
        opt.step()
    with torch.no_grad():
        nn.functional.cross_entropy(net(data["held"][0]), data["held"][1])
for _ in range(4):
    epoch(*data["fit"])
"""


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_rows_whose_features_were_scaled_are_known_and_put_back(record: Record, noise: float) -> None:
    """Shaken samples as well, once an evaluation has shown the scale."""
    change, order = DAMAGES["labels sorted as text"]
    source = BEGIN.format(damage=change) + SCALED.format(noise=noise)
    plain = record(source, max_steps=None)
    (row,) = plain.of("pairing")
    found = row["parts"][0]["scores"]
    assert max(found, key=lambda name: found[name]) == order
    assert row["mark"] is None
    again = {"name": "pair_again", "order": order, "start": 0, "end": 400}
    changed = record(source, max_steps=None, interventions=[again])
    assert changed.losses[-1][0] < 0.7 * plain.losses[-1][0]


PASSED_OVER = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(60, 3)
x[::{every}, 1] = float("nan")
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.arange(60).split(3):
    loss = nn.functional.mse_loss(net(x[rows]).squeeze(1), rows / 60)
    if torch.isfinite(loss):
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


def test_inputs_with_nan_whose_loss_is_passed_over_are_told_of(record: Record) -> None:
    rows = record(PASSED_OVER.format(every=5)).of("spoilt")
    assert rows
    assert all(0 < row["bad"] < 0.2 and row["calls"] >= 1 for row in rows)
    assert record(PASSED_OVER.format(every=5).replace('x[::5, 1] = float("nan")', "")).of("spoilt") == ()


WORDS = """
import torch
from torch import nn
torch.manual_seed(3)
y = torch.randint(0, 4, (600,))
x = (torch.rand(600, 120) < 0.02 + 0.06 * (torch.arange(120)[None] % 4 == y[:, None])).float()
{damage}
masks = {{"train": torch.rand(600) < 0.3, "other": torch.rand(600) < 0.3}}
net = nn.Linear(120, 4)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range({steps}):
    loss = nn.functional.cross_entropy(net(x)[masks["train"]], y[masks["train"]])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("damage", "order"), [("", "0"), ("y = y[torch.tensor(sorted(range(600), key=str))]", "as numbers")]
)
def test_labels_of_some_rows_of_a_whole_are_found_by_the_centres_of_their_classes(
    record: Record, damage: str, order: str
) -> None:
    (row,) = record(WORDS.format(damage=damage, steps=5), max_steps=None).of("pairing")
    found = row["parts"][0]["scores"]
    assert row["n"] == 600
    assert max(found, key=found.get) == order
    assert found[order] > 0.3
    assert max(v for k, v in found.items() if not k.startswith(order)) < 0.1, "from 1 many rows are the same"


def test_labels_of_some_rows_are_paired_again(record: Record) -> None:
    source = WORDS.format(damage="y = y[torch.tensor(sorted(range(600), key=str))]", steps=40)
    plain = record(source, max_steps=None)
    again = record(source, max_steps=None, interventions=[{"name": "pair_again", "order": "as numbers"}])
    right = record(WORDS.format(damage="", steps=40), max_steps=None)
    assert again.losses[-1] == pytest.approx(right.losses[-1], rel=1e-3)
    assert again.losses[-1][0] < 0.9 * plain.losses[-1][0]


AUGMENTED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
g = torch.Generator().manual_seed(1)
def read():
    x = torch.randn(400, 3, generator=g)
    y = (x[:, 0] - 2 * x[:, 1] > 0).long()
    return {held}
class Rows(Dataset):
    def __init__(self):
        self.inputs, self.answers = read()
    def __len__(self):
        return len(self.inputs)
    def __getitem__(self, k):
        return self.inputs[k] + 0.01 * torch.randn(3), self.answers[k]
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for a, b in DataLoader(Rows(), 20, shuffle=True):
    opt.zero_grad()
    nn.functional.cross_entropy(net(a), b).backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("held", "order"),
    [
        ("x, y", "0"),
        ("x, torch.cat([y[:1], y[:-1]])", "1"),
        ("torch.cat([x[:5], x[6:]]), y", "1"),  # a file of inputs lacks one
    ],
)
def test_rows_that_a_data_set_changes_are_known_by_their_places(
    record: Record, held: str, order: str
) -> None:
    (row,) = record(AUGMENTED.replace("{held}", held)).of("pairing")
    scores = row["parts"][0]["scores"]
    assert row["placed"]
    assert max(scores, key=lambda name: scores[name]) == order


def test_labels_are_rolled_in_some_rows_alone(record: Record) -> None:
    source = AUGMENTED.replace("{held}", "x, torch.cat([y[:200], y[199:-1]])")
    roll = {"name": "roll_labels", "by": 1, "start": 200, "end": 400}
    plain, changed = record(source, max_steps=20), record(source, max_steps=20, interventions=[roll])
    assert changed.losses[-1][0] < 0.7 * plain.losses[-1][0]
