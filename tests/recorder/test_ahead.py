"""The batch that the model gets is not always the one that was fetched last."""

from __future__ import annotations

from typing import Any

import pytest
from tests.recorder.harness import Record

from lossdoctor.recorder.ahead import Ahead, Fetched

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(2)
X = torch.randn(40, 3)
y = torch.arange(40)

class Ahead:
    def __init__(self, loader):
        self.loader = loader
    def __iter__(self):
        batches = iter(self.loader)
        this = next(batches)
        for following in batches:
            yield this
            this = following
        yield this

net = nn.Linear(3, 40)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for x, labels in LOADER(DataLoader(TensorDataset(X, y), batch_size=8, shuffle=True)):
        opt.zero_grad()
        (-net(x).log_softmax(1)[torch.arange(len(x)), labels].mean()).backward()
        opt.step()
"""


@pytest.mark.parametrize("loader", ["Ahead", "list", ""])
def test_samples_go_with_their_own_labels_and_places(record: Record, loader: str) -> None:
    """The labels of this data set are the places in it; the loss is written by hand and tells nobody."""
    run = record(SCRIPT.replace("LOADER", loader), max_steps=None)
    rows = [row for row in run.of("ids") if row["grad"]]
    places: dict[int, set[int]] = {}
    for row in rows:
        for found, place in zip(row["h"], row.get("at", ()), strict=False):
            places.setdefault(found, set()).add(place)
        if loader != "list":  # all are fetched before the first is used: only two are known
            assert row["at"] == row["y"]
    assert loader == "list" or len(rows) == 10
    assert loader == "list" or all(len(found) == 1 for found in places.values())


STREAM = SCRIPT.replace(
    "class Ahead:",
    """class Stream(torch.utils.data.IterableDataset):
    def __iter__(self):
        return zip(X, y)

class Ahead:""",
).replace("DataLoader(TensorDataset(X, y), batch_size=8, shuffle=True)", "DataLoader(Stream(), batch_size=8)")


def test_a_stream_has_no_places(record: Record) -> None:
    run = record(STREAM.replace("LOADER", ""))
    assert not run.of("trouble")
    assert all("at" not in row for row in run.of("ids"))


def batch(number: int) -> Any:
    return Fetched(number, 1, [number], None, None, None, None)


class Pass:
    """Stands for an iterator of a loader."""


@pytest.mark.parametrize(
    ("course", "by_script", "used"),
    [
        ("f c f c f c e", False, [1, 2, 3]),  # as it is asked for
        (
            "f f c f c e c",
            False,
            [1, 2, 3],
        ),  # one ahead, by a library: the inputs are copies on another device
        ("f f c f c e c", True, [2, 3, 3]),  # a script that passed over the first
        ("f f f c f c e", False, [3, 4]),  # several passed over, to go on where a run was stopped
        ("f f c c f c c e c", False, [1, 1, 2, 2, 3]),  # two models
    ],
)
def test_what_a_library_fetches_ahead_is_used_later(course: str, by_script: bool, used: list[int]) -> None:
    now: list[Any] = []
    ahead, iterator, seen = Ahead(lambda one: now.append(one.loader)), Pass(), []
    for fetched, what in enumerate(course.split()):
        if what == "f":
            ahead.fetched(iterator, batch(1 + course.split()[:fetched].count("f")), by_script)
        elif what == "e":
            ahead.ended(iterator)
        else:
            ahead.call((), True)
            seen.append(now[-1])
    assert seen == used
