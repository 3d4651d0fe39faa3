"""The intervention ``settle_draws``: what a data set draws for a sample is the middle of its range."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change, Record

SOURCE = """
import random
import numpy as np
import torch, torch.nn as nn
from torch.utils.data import ConcatDataset, DataLoader, Dataset, Subset
torch.manual_seed(0)
random.seed(0)
np.random.seed(0)
x, y = torch.randn(64, 6), torch.arange(64) % 2
class Rows(Dataset):
    def __init__(self):
        self.rng, self.own = np.random.default_rng(0), random.Random(0)
    def moved(self, v):
        return v + self.rng.uniform(-1, 1)
    def __len__(self):
        return 64
    def __getitem__(self, i):
        v = x[i]
        {change}
        return v, y[i]
rows = Rows()
net = nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    for a, b in DataLoader({made}, 16, shuffle=True):
        opt.zero_grad()
        nn.functional.cross_entropy(net(a), b).backward()
        opt.step()
"""
CHANGES = [
    "v = v.flip(0) if torch.rand(1) < 0.5 else v",
    "v = v.flip(0) if random.random() > 0.5 else v",
    "v = -v if np.random.rand() < 0.3 else v",
    "v = v + 0.1 * torch.randn_like(v)",
    "v = v + (torch.rand(6) - 0.5)",
    "v = v + random.uniform(-1, 1)",
    "v = v * np.random.uniform(low=0.5, high=1.5)",
    "v = v + float(np.random.normal(0.0, 0.2)) + random.gauss(0, 1)",
    "v = v.flip(0) if self.rng.random() < 0.5 else v + self.rng.normal(0, 0.2)",
    "v = v.flip(0) if self.own.random() < 0.5 else v",
    "r = np.random.default_rng(i); v = v + r.uniform(-1, 1)",
    "v = self.moved(v)",
]


@pytest.mark.parametrize("change_made", CHANGES)
@pytest.mark.parametrize("made", ["rows", "Subset(ConcatDataset([rows]), range(64))"])
def test_a_sample_is_left_as_it_is(change: Change, change_made: str, made: str) -> None:
    source = SOURCE.format(change=change_made, made=made)
    plain = source.replace("return v, y[i]", "return x[i], y[i]")  # draws as often
    changed = [v for step in change(source, "settle_draws").losses for v in step]
    assert changed == pytest.approx([v for step in change(plain).losses for v in step], rel=1e-5)
    assert change(source).losses != change(plain).losses


def test_whether_a_data_set_draws_is_told(record: Record) -> None:
    for change_made, draws in ((CHANGES[0], True), (CHANGES[-1], True), ("pass", False)):
        (row,) = record(SOURCE.format(change=change_made, made="rows")).of("loader")
        assert row["draws"] is draws
