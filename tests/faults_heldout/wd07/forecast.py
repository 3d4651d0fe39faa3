import csv
import math
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn


@dataclass
class Config:
    quantiles: tuple = (0.1, 0.5, 0.9)
    hidden: int = 64
    epochs: int = 14
    batch_size: int = 128
    lr: float = 3e-3
    weight_decay: float = 1e-4
    val_days: int = 90
    test_days: int = 90
    seed: int = 0


def read(path):
    load, temp = [], []
    with open(path) as fh:
        for row in csv.DictReader(fh):
            load.append(float(row["load_mw"]))
            temp.append(float(row["temperature_c"]))
    return torch.tensor(load), torch.tensor(temp)


def build(load, temp):
    """Day-ahead features: everything known 24 h before delivery plus the temperature forecast."""
    t = torch.arange(168, len(load))
    hour = (t % 24).float() * (2 * math.pi / 24)
    day = t // 24 % 7
    yearly = t.float() * (2 * math.pi / (24 * 365.25))
    cols = [load[t - 24], load[t - 48], load[t - 168], load[t - 24] - load[t - 168],
            temp[t], temp[t - 24], temp[t].clamp(max=16), temp[t].clamp(min=20),
            hour.sin(), hour.cos(), (2 * hour).sin(), (2 * hour).cos(), yearly.sin(), yearly.cos()]
    x = torch.stack(cols, 1)
    x = torch.cat([x, nn.functional.one_hot(day, 7).float()], 1)
    return x, load[t], load[t - 24]


class QuantileNet(nn.Module):
    def __init__(self, n_in, hidden, n_q, centre, scale):
        super().__init__()
        self.norm = nn.BatchNorm1d(n_in)
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(),
                                  nn.Linear(hidden, hidden), nn.ReLU(),
                                  nn.Linear(hidden, n_q))
        self.register_buffer("centre", torch.as_tensor(centre))
        self.register_buffer("scale", torch.as_tensor(scale))

    def forward(self, x):
        out = self.body(self.norm(x))
        steps = nn.functional.softplus(out[:, 1:])
        q = torch.cat([out[:, :1], out[:, :1] + steps.cumsum(1)], 1)
        return self.centre + self.scale * q


def pinball(pred, y, taus):
    err = y[:, None] - pred
    return torch.maximum(taus * err, (taus - 1) * err).mean()


def report(model, x, y, taus):
    model.eval()
    with torch.no_grad():
        q = model(x)
    inside = ((y >= q[:, 0]) & (y <= q[:, -1])).float().mean().item()
    return pinball(q, y, taus).item(), (q[:, 1] - y).abs().mean().item(), inside


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    x, y, naive = build(*read(Path(__file__).with_name("load_hourly.csv")))
    n_te, n_va = 24 * cfg.test_days, 24 * cfg.val_days
    n_tr = len(y) - n_te - n_va
    tr, va, te = slice(0, n_tr), slice(n_tr, n_tr + n_va), slice(n_tr + n_va, None)
    taus = torch.tensor(cfg.quantiles)

    model = QuantileNet(x.shape[1], cfg.hidden, len(taus), y[tr].mean(), y[tr].std())
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    n_batches = math.ceil(n_tr / cfg.batch_size)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg.lr, epochs=cfg.epochs, steps_per_epoch=n_batches)

    for epoch in range(1, cfg.epochs + 1):
        model.train()
        seen = 0.0
        for idx in torch.randperm(n_tr).split(cfg.batch_size):
            loss = pinball(model(x[idx]), y[idx], taus)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            seen += loss.item() * len(idx)
        pb, mae, cover = report(model, x[va], y[va], taus)
        print(f"epoch {epoch:2d}  train pinball {seen / n_tr:8.1f} MW  val pinball {pb:7.1f} MW  "
              f"val MAE {mae:7.1f} MW  80% band covers {cover:.3f}")

    pb, mae, cover = report(model, x[te], y[te], taus)
    print(f"test pinball {pb:.1f} MW  MAE {mae:.1f} MW  coverage {cover:.3f}  "
          f"(same hour yesterday: MAE {(naive[te] - y[te]).abs().mean():.1f} MW)")


if __name__ == "__main__":
    main()
