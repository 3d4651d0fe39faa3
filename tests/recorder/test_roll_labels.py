"""Indexes of training batches in their data set, and the intervention that moves labels along them."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change

SOURCE = """
import torch, torch.nn as nn
from torch.utils.data import ConcatDataset, DataLoader, Dataset, TensorDataset
torch.manual_seed(0)
x = torch.randn(64, 6)
y = {labels}
class Rows(Dataset):
    def __len__(self):
        return 64
    def __getitem__(self, i):
        return x[i], int(y[i])
net = nn.Linear(6, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in DataLoader({made}, 16, shuffle=True, num_workers={workers}):
    opt.zero_grad()
    nn.functional.cross_entropy(net(a), b).backward()
    opt.step()
with torch.no_grad():
    print([b.tolist() for _, b in DataLoader({made}, 64)])
"""
LABELS = "torch.arange(64) // 3 % 4"


@pytest.mark.parametrize("made", ["TensorDataset(x, y)", "Rows()", "ConcatDataset([Rows()])"])
@pytest.mark.parametrize("workers", [0, 1])
def test_training_samples_get_the_label_behind_them_and_held_out_ones_their_own(
    change: Change, made: str, workers: int
) -> None:
    plain = SOURCE.format(labels=LABELS, made=made, workers=workers)
    moved = SOURCE.format(labels=f"({LABELS}).roll(-1)", made=made, workers=workers)
    rolled = change(plain, "roll_labels", by=1)
    assert rolled.losses == change(moved).losses != change(plain).losses
    assert rolled.stdout == change(plain).stdout


def test_the_indexes_of_a_training_batch_go_with_its_labels(change: Change) -> None:
    run = change(SOURCE.format(labels=LABELS, made="Rows()", workers=0))
    rows = [r for r in run.of("ids") if r["grad"]]
    assert sorted(k for r in rows for k in r["at"]) == list(range(64))
    assert all(y == k // 3 % 4 for r in rows for k, y in zip(r["at"], r["y"], strict=True))
    assert all("at" not in r for r in run.of("ids") if not r["grad"])
    ahead = change(SOURCE.format(labels=LABELS, made="Rows()", workers=1))
    assert all("at" not in r for r in ahead.of("ids")), "workers draw ahead"
