"""Next-hour load forecast from a window of station readings."""
import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

COLUMNS = ["load", "temperature", "pressure", "humidity", "wind", "hour_sin", "hour_cos"]


def read_station(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    return np.array([[float(r[c]) for c in COLUMNS] for r in rows], dtype=np.float32)


class Windows(Dataset):
    def __init__(self, series, lookback, horizon=1):
        self.series = torch.from_numpy(series)
        self.lookback, self.horizon = lookback, horizon

    def __len__(self):
        return len(self.series) - self.lookback - self.horizon + 1

    def __getitem__(self, i):
        x = self.series[i : i + self.lookback]
        y = self.series[i + self.lookback : i + self.lookback + self.horizon, 0]
        return x, y


class ConvForecaster(nn.Module):
    def __init__(self, n_in, lookback, hidden=32, horizon=1):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(n_in, hidden, 3, padding=1),
            nn.ReLU(),
            nn.Conv1d(hidden, hidden, 3, padding=2, dilation=2),
            nn.ReLU(),
        )
        self.out = nn.Sequential(
            nn.Flatten(), nn.Linear(hidden * lookback, 64), nn.ReLU(), nn.Linear(64, horizon)
        )

    def forward(self, x):
        return self.out(self.conv(x.transpose(1, 2)))


class Trainer:
    def __init__(self, model, lr, device="cpu"):
        self.model = model.to(device)
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss = nn.MSELoss()
        self.device = device

    def fit_epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            self.opt.zero_grad()
            loss = self.loss(self.model(x), y)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(x)
        return total / len(loader.dataset)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        se, ae = 0.0, 0.0
        for x, y in loader:
            err = self.model(x.to(self.device)) - y.to(self.device)
            se += err.pow(2).sum().item()
            ae += err.abs().sum().item()
        n = len(loader.dataset)
        return se / n, ae / n


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--data", type=Path, default=Path(__file__).parent / "data" / "station_17.csv")
    p.add_argument("--lookback", type=int, default=24)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--holdout", type=float, default=0.2)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    series = read_station(args.data)
    cut = int(len(series) * (1 - args.holdout))
    train = Windows(series[:cut], args.lookback)
    valid = Windows(series[cut:], args.lookback)
    train_dl = DataLoader(train, batch_size=args.batch_size, shuffle=True)
    valid_dl = DataLoader(valid, batch_size=512)

    naive = float(np.mean((series[cut + 1 :, 0] - series[cut:-1, 0]) ** 2))
    print(f"{len(train)} train windows, {len(valid)} valid windows, persistence mse {naive:.4f}")
    trainer = Trainer(ConvForecaster(len(COLUMNS), args.lookback), args.lr)
    for epoch in range(1, args.epochs + 1):
        tr = trainer.fit_epoch(train_dl)
        mse, mae = trainer.evaluate(valid_dl)
        print(f"epoch {epoch:3d}  train mse {tr:.4f}  valid mse {mse:.4f}  valid mae {mae:.4f}")


if __name__ == "__main__":
    main()
