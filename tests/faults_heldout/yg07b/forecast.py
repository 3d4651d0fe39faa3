"""Day-ahead load forecast: 7 days of hourly load + temperature -> next 24 hours."""
import argparse
import csv
import logging
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, Subset

HERE = Path(__file__).resolve().parent
HISTORY, HORIZON = 168, 24
log = logging.getLogger("forecast")


def read_series(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    load = np.array([float(r["load_mw"]) for r in rows], dtype=np.float32)
    temp = np.array([float(r["temp_c"]) for r in rows], dtype=np.float32)
    return load, temp


class LoadWindows(Dataset):
    """Sliding windows, one every `stride` hours."""

    def __init__(self, load, temp, start, stop, stats, stride=3):
        m_load, s_load, m_temp, s_temp = stats
        self.load = torch.from_numpy((load - m_load) / s_load)
        self.temp = torch.from_numpy((temp - m_temp) / s_temp)
        self.starts = list(range(start, stop - HISTORY - HORIZON, stride))

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        m, e = s + HISTORY, s + HISTORY + HORIZON
        hour = torch.tensor([np.sin(2 * np.pi * (m % 24) / 24), np.cos(2 * np.pi * (m % 24) / 24)], dtype=torch.float32)
        x = torch.cat([self.load[s:m], self.temp[s:e], hour])
        return x, self.load[m:e]


class Forecaster(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        n_in = HISTORY + HISTORY + HORIZON + 2
        self.net = nn.Sequential(
            nn.Linear(n_in, hidden), nn.GELU(),
            nn.Linear(hidden, hidden), nn.GELU(),
            nn.Linear(hidden, HORIZON),
        )

    def forward(self, x):
        # predict the change against the same hour of the previous day
        yesterday = x[:, HISTORY - 24:HISTORY]
        return yesterday + self.net(x)


def seasonal_naive_mae(ds, scale):
    err = [(x[HISTORY - 168:HISTORY - 144] - y).abs().mean().item() for x, y in ds]
    return float(np.mean(err)) * scale


@torch.no_grad()
def validate(model, loader, scale):
    model.eval()
    err = [(model(x) - y).abs().mean(dim=1) for x, y in loader]
    return torch.cat(err).mean().item() * scale


def train(args):
    torch.manual_seed(args.seed)
    load, temp = read_series(args.data)
    cut = int(0.8 * len(load))
    stats = (load[:cut].mean(), load[:cut].std(), temp[:cut].mean(), temp[:cut].std())
    windows = LoadWindows(load, temp, 0, cut, stats)
    order = torch.randperm(len(windows), generator=torch.Generator().manual_seed(args.seed))
    train_ds = Subset(windows, order.tolist())
    val_ds = LoadWindows(load, temp, cut, len(load), stats, stride=6)
    scale = float(stats[1])

    train_loader = DataLoader(train_ds, batch_size=args.batch_size, drop_last=True)
    val_loader = DataLoader(val_ds, batch_size=256)
    log.info("%d training windows, %d validation windows", len(train_ds), len(val_ds))
    log.info("same-hour-last-week baseline: MAE %.1f MW", seasonal_naive_mae(val_ds, scale))

    model = Forecaster(args.hidden)
    criterion = nn.SmoothL1Loss(beta=0.2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=args.steps)

    best, running = float("inf"), []
    for step in range(1, args.steps + 1):
        model.train()
        x, y = next(iter(train_loader))
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        running.append(loss.item())

        if step % args.eval_every == 0:
            mae = validate(model, val_loader, scale)
            log.info("step %5d  lr %.2e  train loss %.4f  val MAE %.1f MW",
                     step, scheduler.get_last_lr()[0], np.mean(running), mae)
            running.clear()
            if mae < best:
                best = mae
                torch.save({"model": model.state_dict(), "stats": [float(s) for s in stats]}, HERE / "forecaster.pt")
    log.info("best validation MAE %.1f MW", best)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=Path, default=HERE / "grid_load.csv")
    ap.add_argument("--steps", type=int, default=900)
    ap.add_argument("--eval-every", type=int, default=100)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--hidden", type=int, default=128)
    ap.add_argument("--lr", type=float, default=1.5e-3)
    ap.add_argument("--seed", type=int, default=12)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    train(ap.parse_args())


if __name__ == "__main__":
    main()
