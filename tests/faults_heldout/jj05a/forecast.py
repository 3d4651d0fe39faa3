"""Day-ahead load forecast: 48 h of history in, 24 h out.

usage: python forecast.py [--hidden 48] [--epochs 12] [--lr 0.05] [--clip C]
"""
import argparse
import csv
import pathlib

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = pathlib.Path(__file__).resolve().parent
PAST, AHEAD = 48, 24


def read_table():
    with open(HERE / "load.csv") as fh:
        rows = list(csv.DictReader(fh))
    col = lambda name: np.array([float(r[name]) for r in rows], dtype=np.float32)
    hour, weekday = col("hour"), col("weekday")
    calendar = np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24), (weekday >= 5).astype(np.float32)], 1)
    return calendar, col("temp"), col("load")


class Scaler:
    def __init__(self, values):
        self.mean, self.std = float(values.mean()), float(values.std())

    def __call__(self, v):
        return (v - self.mean) / self.std

    def back(self, v):
        return v * self.std + self.mean


def windows(calendar, temp, load, first, last, stride=1):
    past, future, target = [], [], []
    for s in range(first, last - PAST - AHEAD + 1, stride):
        a, b = s + PAST, s + PAST + AHEAD
        past.append(np.concatenate([calendar[s:a], temp[s:a, None], load[s:a, None]], 1))
        future.append(np.concatenate([calendar[a:b], temp[a:b, None]], 1))
        target.append(load[a:b])
    return tuple(torch.from_numpy(np.stack(v).astype(np.float32)) for v in (past, future, target))


class Forecaster(nn.Module):
    """GRU encoder over the past day pair, GRU decoder over the known future covariates."""

    def __init__(self, hidden):
        super().__init__()
        self.encoder = nn.GRU(5, hidden, batch_first=True)
        self.decoder = nn.GRU(4, hidden, batch_first=True)
        self.read = nn.Linear(hidden, 1)

    def forward(self, past, future):
        _, state = self.encoder(past)
        out, _ = self.decoder(future, state)
        return self.read(out).squeeze(-1)


class Runner:
    def __init__(self, args, scaler):
        self.args, self.scaler = args, scaler
        self.model = Forecaster(args.hidden)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=args.lr, momentum=0.9)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, args.epochs, eta_min=args.lr * 0.02)
        self.loss = nn.MSELoss()

    def train(self, loader):
        self.model.train()
        losses = []
        for past, future, target in loader:
            self.optimizer.zero_grad()
            loss = self.loss(self.model(past, future), target)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip)
            self.optimizer.step()
            losses.append(loss.item())
        self.schedule.step()
        return float(np.mean(losses))

    @torch.no_grad()
    def test(self, past, future, target):
        self.model.eval()
        pred = self.scaler.back(self.model(past, future))
        true = self.scaler.back(target)
        mape = ((pred - true).abs() / true).mean().item() * 100
        return mape, (pred - true).pow(2).mean().sqrt().item()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--hidden", type=int, default=48)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--clip", type=float, default=1.0, help="max gradient norm")
    ap.add_argument("--seed", type=int, default=505)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    calendar, temp, load = read_table()
    split = int(len(load) * 0.75)
    t_scale, l_scale = Scaler(temp[:split]), Scaler(load[:split])
    temp, load = t_scale(temp), l_scale(load)
    train = windows(calendar, temp, load, 0, split)
    test = windows(calendar, temp, load, split, len(load), stride=6)
    loader = DataLoader(TensorDataset(*train), batch_size=args.batch, shuffle=True)
    print(f"{len(train[0])} training windows, {len(test[0])} test windows")

    seasonal = l_scale.back(test[0][:, -AHEAD:, 4])
    true = l_scale.back(test[2])
    print(f"same hour yesterday: MAPE {((seasonal - true).abs() / true).mean().item() * 100:.2f} %")

    runner = Runner(args, l_scale)
    for epoch in range(1, args.epochs + 1):
        mse = runner.train(loader)
        mape, rmse = runner.test(*test)
        print(f"epoch {epoch:2d}  train mse {mse:.4f}  test MAPE {mape:.2f} %  rmse {rmse:.2f} MW")
    torch.save(runner.model.state_dict(), HERE / "forecaster.pt")


if __name__ == "__main__":
    main()
