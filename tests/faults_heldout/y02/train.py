import csv
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

here = Path(__file__).resolve().parent
torch.manual_seed(11)


def read(part):
    """Scans are stored in id order, the csv has one line per scan."""
    x = np.load(here / f"{part}_scans.npy").astype("float32") / 16.0
    with open(here / f"{part}_labels.csv", newline="") as f:
        rows = sorted(csv.DictReader(f), key=lambda r: int(r["id"]))
    y = np.array([int(r["digit"]) for r in rows], dtype="int64")
    assert len(x) == len(y), (len(x), len(y))
    return TensorDataset(torch.from_numpy(x)[:, None], torch.from_numpy(y))


train, test = read("train"), read("test")
mu, sd = train.tensors[0].mean(), train.tensors[0].std()

net = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Dropout(0.25),
    nn.Linear(32 * 4 * 4, 64), nn.ReLU(),
    nn.Linear(64, 10),
)
opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
loader = DataLoader(train, batch_size=64, shuffle=True)
test_loader = DataLoader(test, batch_size=256)

for epoch in range(12):
    net.train()
    run, seen = 0.0, 0
    for x, y in loader:
        loss = F.cross_entropy(net((x - mu) / sd), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        run += loss.item() * len(y)
        seen += len(y)
    net.eval()
    hit = 0
    with torch.no_grad():
        for x, y in test_loader:
            hit += (net((x - mu) / sd).argmax(1) == y).sum().item()
    print(f"epoch {epoch:2d}  loss {run / seen:.4f}  test acc {hit / len(test):.4f}")
