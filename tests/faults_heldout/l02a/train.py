"""Soft sensor: estimate the outlet temperature of a heat exchanger from twelve plant tags."""
import csv
import json
import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split

ROOT = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(11)


class PlantLog(Dataset):
    """Historian export; every tag is mapped to [-1, 1] with the instrument range of the tag list."""

    def __init__(self, folder):
        with open(os.path.join(folder, "tags.json")) as fh:
            self.tags = json.load(fh)
        rows = []
        with open(os.path.join(folder, "historian.csv"), newline="") as fh:
            for row in csv.DictReader(fh):
                rows.append([float(row[t["name"]]) for t in self.tags["inputs"] + [self.tags["output"]]])
        raw = np.asarray(rows, dtype=np.float32)
        lo = np.array([t["low"] for t in self.tags["inputs"]], dtype=np.float32)
        hi = np.array([t["high"] for t in self.tags["inputs"]], dtype=np.float32)
        self.x = torch.from_numpy(2 * (raw[:, :-1] - lo) / (hi - lo) - 1)
        o = self.tags["output"]
        self.centre, self.half = (o["high"] + o["low"]) / 2, (o["high"] - o["low"]) / 2
        self.y = torch.from_numpy((raw[:, -1:] - self.centre) / self.half)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class SoftSensor(nn.Module):
    def __init__(self, d, h=48):
        super().__init__()
        self.inp = nn.Linear(d, h)
        self.mid = nn.ModuleList(nn.Linear(h, h) for _ in range(2))
        self.norm = nn.ModuleList(nn.LayerNorm(h) for _ in range(2))
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        z = torch.nn.functional.silu(self.inp(x))
        for lin, ln in zip(self.mid, self.norm):
            z = z + torch.nn.functional.silu(lin(ln(z)))
        return self.out(z)


data = PlantLog(os.path.join(ROOT, "plant"))
n_val = len(data) // 5
train_set, val_set = random_split(data, [len(data) - n_val, n_val], generator=torch.Generator().manual_seed(5))
train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
val_loader = DataLoader(val_set, batch_size=512)

model = SoftSensor(data.x.shape[1])
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
EPOCHS = 25
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, total_steps=EPOCHS * len(train_loader))
loss_fn = nn.HuberLoss(delta=0.2)

for epoch in range(1, EPOCHS + 1):
    model.train()
    total = 0.0
    for x, y in train_loader:
        loss = loss_fn(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        total += loss.item() * len(x)
    model.eval()
    with torch.no_grad():
        err = torch.cat([model(x) - y for x, y in val_loader]) * data.half
    print(f"epoch {epoch:2d}  train huber {total / len(train_set):.5f}  val RMSE {err.pow(2).mean().sqrt():.3f} degC "
          f" MAE {err.abs().mean():.3f} degC")
