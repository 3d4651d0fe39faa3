"""Day-ahead load forecast: 7 days of hourly load + temperature -> next 24 hours."""
import argparse
import logging
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

HERE = Path(__file__).resolve().parent
HISTORY, HORIZON = 168, 24
log = logging.getLogger("forecast")


class LoadWindows(Dataset):
    def __init__(self, load, temp, stride):
        self.load, self.temp = torch.from_numpy(load), torch.from_numpy(temp)
        self.starts = range(0, len(load) - HISTORY - HORIZON, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        m, e = s + HISTORY, s + HISTORY + HORIZON
        phase = torch.tensor(2 * np.pi * (s % 24) / 24)
        x = torch.cat([self.load[s:m], self.temp[s:e], torch.stack([phase.sin(), phase.cos()]).float()])
        return x, self.load[m:e]


class Forecaster(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2 * HISTORY + HORIZON + 2, hidden), nn.GELU(),
            nn.Linear(hidden, hidden), nn.GELU(),
            nn.Linear(hidden, HORIZON),
        )

    def forward(self, x):
        return x[:, HISTORY - 24:HISTORY] + self.net(x)


def forever(loader):
    while True:
        yield from loader


@torch.no_grad()
def validate(model, loader):
    model.eval()
    return torch.cat([(model(x) - y).abs().mean(1) for x, y in loader]).mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=900)
    ap.add_argument("--eval-every", type=int, default=100)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--hidden", type=int, default=128)
    ap.add_argument("--lr", type=float, default=1.5e-3)
    ap.add_argument("--seed", type=int, default=12)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(args.seed)

    table = np.loadtxt(HERE / "grid_load.csv", delimiter=",", skiprows=1, dtype=np.float32)
    cut = int(0.8 * len(table))
    mean, std = table[:cut, 1:].mean(0), table[:cut, 1:].std(0)
    z = (table[:, 1:] - mean) / std
    scale = float(std[0])
    train_ds = LoadWindows(z[:cut, 0].copy(), z[:cut, 1].copy(), stride=3)
    val_ds = LoadWindows(z[cut:, 0].copy(), z[cut:, 1].copy(), stride=6)
    train_loader = DataLoader(train_ds, args.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_ds, 256)
    naive = np.mean([(x[:24] - y).abs().mean() for x, y in val_ds]) * scale
    log.info("%d/%d windows, same-hour-last-week MAE %.1f MW", len(train_ds), len(val_ds), naive)

    model = Forecaster(args.hidden)
    criterion = nn.SmoothL1Loss(beta=0.2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=args.steps)
    best, running = float("inf"), 0.0
    for step, (x, y) in zip(range(1, args.steps + 1), forever(train_loader)):
        model.train()
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        running += loss.item() / args.eval_every
        if step % args.eval_every == 0:
            mae = validate(model, val_loader) * scale
            log.info("step %5d  train loss %.4f  val MAE %.1f MW", step, running, mae)
            running = 0.0
            if mae < best:
                best = mae
                torch.save(model.state_dict(), HERE / "forecaster.pt")
    log.info("best validation MAE %.1f MW", best)


if __name__ == "__main__":
    main()
