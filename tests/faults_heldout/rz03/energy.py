"""Heat demand (kWh/m2/a) of flats from register data."""
import csv
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

ROOT = Path(__file__).parent / "data"
COLUMNS = ("area_m2", "rooms", "built", "floor", "km_center", "insulation_cm")


@dataclass
class Table:
    x: torch.Tensor
    y: torch.Tensor

    def __len__(self):
        return len(self.y)


def read_features(path):
    with open(path, newline="") as fh:
        rows = sorted(csv.DictReader(fh), key=lambda r: int(r["unit"]))
    return np.array([[float(r[c]) for c in COLUMNS] for r in rows], dtype=np.float32)


def read_demand(path):
    by_unit = json.loads(Path(path).read_text())
    return np.array([by_unit[u] for u in sorted(by_unit)], dtype=np.float32)


def prepare(seed=0):
    x = read_features(ROOT / "buildings.csv")
    y = read_demand(ROOT / "consumption.json")
    assert len(x) == len(y)
    perm = np.random.default_rng(seed).permutation(len(x))
    cut = int(0.8 * len(x))
    tr, te = perm[:cut], perm[cut:]
    mx, sx = x[tr].mean(0), x[tr].std(0)
    my, sy = y[tr].mean(), y[tr].std()
    x, y = torch.from_numpy((x - mx) / sx), torch.from_numpy((y - my) / sy)
    return Table(x[tr], y[tr]), Table(x[te], y[te]), float(sy)


class Regressor(nn.Module):
    def __init__(self, n_in, width=48):
        super().__init__()
        self.inp = nn.Linear(n_in, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)
        self.drop = nn.Dropout(0.05)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        h = h + self.drop(torch.relu(self.mid(h)))
        return self.out(h).squeeze(-1)


def batches(table, size):
    for idx in torch.randperm(len(table)).split(size):
        yield table.x[idx], table.y[idx]


def rmse(model, table, unit):
    model.eval()
    with torch.no_grad():
        err = (model(table.x) - table.y).pow(2).mean().sqrt().item() * unit
    model.train()
    return err


def main(epochs=40, size=32, lr=2e-3):
    torch.manual_seed(21)
    train, test, unit = prepare()
    model = Regressor(train.x.shape[1])
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=5e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs)
    crit = nn.SmoothL1Loss()
    for e in range(1, epochs + 1):
        run = []
        for xb, yb in batches(train, size):
            optimiser.zero_grad()
            loss = crit(model(xb), yb)
            loss.backward()
            optimiser.step()
            run.append(loss.item())
        sched.step()
        if e % 8 == 0:
            print(f"{e:3d} | loss {np.mean(run):.4f} | test RMSE {rmse(model, test, unit):.2f} kWh/m2")


if __name__ == "__main__":
    main()
