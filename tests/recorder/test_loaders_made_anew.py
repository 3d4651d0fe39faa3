"""A loader that is made anew for each epoch goes on as one loader."""

from __future__ import annotations

from tests.recorder.harness import Record

SOURCE = """
import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
x, y = torch.randn(40, 6), torch.randint(0, 3, (40,))
train, held = TensorDataset(x[:30], y[:30]), TensorDataset(x[30:], y[30:])
net = nn.Linear(6, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)

def look(data):
    with torch.no_grad():
        for a, b in DataLoader(data, batch_size=10):
            nn.functional.cross_entropy(net(a), b)

kept = []
for epoch in range(3):
    loader = DataLoader({data}, batch_size=10, shuffle=True)
    {keep}
    for a, b in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(a), b).backward()
        opt.step()
    look(train)
    look(held)
"""


def passes(record: Record, data: str = "train", keep: str = "") -> list[tuple[int, int, bool]]:
    run = record(SOURCE.format(data=data, keep=keep), max_steps=30)
    found = dict.fromkeys((r["loader"], r["epoch"], r["grad"]) for r in run.of("ids"))
    assert len(run.of("loader")) == len({loader for loader, _, _ in found})
    return list(found)


def test_each_epoch_is_one_more_of_the_same_loader(record: Record) -> None:
    assert passes(record) == [
        (0, 1, True), (1, 1, False), (2, 1, False),
        (0, 2, True), (1, 2, False), (2, 2, False),
        (0, 3, True), (1, 3, False), (2, 3, False),
    ]  # fmt: skip


def test_other_data_and_loaders_that_are_there_together_are_told_apart(record: Record) -> None:
    assert len({loader for loader, _, grad in passes(record, "TensorDataset(x[:30], y[:30])") if grad}) == 3
    assert len({loader for loader, _, grad in passes(record, keep="kept.append(loader)") if grad}) == 3
