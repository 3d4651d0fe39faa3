"""Calibrate low-cost PM2.5 sensors against reference stations.

Each row has raw sensor channels and the reference reading; `valid` is the flag of the reference instrument
(0 while it was being serviced, readings of that time do not count).
"""
import csv
import pathlib
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split

FEATURES = ["raw_a", "raw_b", "humidity", "temperature", "pressure", "wind"]


@dataclass
class Settings:
    epochs: int = 30
    batch_size: int = 64
    lr: float = 3e-3
    hidden: int = 48
    seed: int = 9


class StationLog(Dataset):
    def __init__(self, path):
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        col = lambda names: torch.tensor([[float(r[n]) for n in names] for r in rows])
        self.x = col(FEATURES)
        self.y = col(["reference"])
        self.valid = col(["valid"])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i, 0], self.valid[i]


class Calibrator(nn.Module):
    def __init__(self, hidden, stats):
        super().__init__()
        for name, value in stats.items():
            self.register_buffer(name, value)
        self.net = nn.Sequential(
            nn.Linear(len(FEATURES), hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.net((x - self.x_mean) / self.x_std).squeeze(-1)


def weighted_loss(pred, target, weight):
    per_row = F.smooth_l1_loss(pred, target, reduction="none")
    return (weight * per_row).mean() / weight.mean()


def mean_abs_error(model, loader):
    model.eval()
    err, n = 0.0, 0.0
    with torch.no_grad():
        for x, y, valid in loader:
            keep = valid[:, 0] > 0
            pred = model(x) * model.y_std + model.y_mean
            err += (pred - y)[keep].abs().sum().item()
            n += keep.sum().item()
    return err / n


def main(cfg=Settings()):
    torch.manual_seed(cfg.seed)
    data = StationLog(pathlib.Path(__file__).with_name("stations.csv"))
    fit, test = random_split(data, [len(data) - 500, 500])
    idx = torch.tensor(fit.indices)
    good = idx[data.valid[idx, 0] > 0]
    stats = {
        "x_mean": data.x[idx].mean(0), "x_std": data.x[idx].std(0),
        "y_mean": data.y[good].mean(), "y_std": data.y[good].std(),
    }
    model = Calibrator(cfg.hidden, stats)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)
    loader = DataLoader(fit, batch_size=cfg.batch_size, shuffle=True, drop_last=True)
    test_loader = DataLoader(test, batch_size=250)

    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for x, y, valid in loader:
            opt.zero_grad()
            loss = weighted_loss(model(x), (y - model.y_mean) / model.y_std, valid)
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:3d}  loss {total / len(loader):.4f}  test MAE {mean_abs_error(model, test_loader):.3f} ug/m3")


if __name__ == "__main__":
    main()
