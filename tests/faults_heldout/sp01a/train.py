"""Rainfall-runoff model: daily discharge at the outlet from the last weeks of weather."""
import argparse
import csv
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HERE = Path(__file__).resolve().parent


class CatchmentWindows(Dataset):
    """Windows of `length` days of forcing, target is the discharge of the last day."""

    def __init__(self, forcing, discharge, length):
        self.forcing = torch.as_tensor(forcing, dtype=torch.float32)
        self.discharge = torch.as_tensor(discharge, dtype=torch.float32)
        self.length = length

    def __len__(self):
        return len(self.discharge) - self.length + 1

    def __getitem__(self, i):
        end = i + self.length
        return self.forcing[i:end], self.discharge[end - 1]


class RunoffGRU(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.gru = nn.GRU(n_in, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        out, _ = self.gru(x)
        return self.head(out[:, -1]).squeeze(-1)


def read_catchment(path):
    rain, temp, q, doy = [], [], [], []
    with open(path, newline="") as handle:
        for row in csv.DictReader(handle):
            rain.append(float(row["rain"]))
            temp.append(float(row["temp"]))
            q.append(float(row["q"]))
            doy.append((int(row["date"][5:7]) - 1) * 30.4 + int(row["date"][8:10]))
    rain, temp, q, doy = (np.asarray(v, dtype=np.float64) for v in (rain, temp, q, doy))
    angle = 2 * math.pi * doy / 365.25
    # long memory of the soil: slow moving average of the rain
    slow = np.zeros_like(rain)
    for i in range(1, len(rain)):
        slow[i] = 0.98 * slow[i - 1] + 0.02 * rain[i]
    forcing = np.stack([np.sqrt(rain), temp, slow, np.sin(angle), np.cos(angle)], axis=1)
    return forcing, q


def nse(obs, sim):
    """Nash-Sutcliffe efficiency: 1 is perfect, 0 is no better than the mean flow."""
    return 1.0 - float(((obs - sim) ** 2).sum() / ((obs - obs.mean()) ** 2).sum())


@torch.no_grad()
def simulate(model, loader):
    model.eval()
    sim = [model(x) for x, _ in loader]
    obs = [y for _, y in loader]
    return torch.cat(obs), torch.cat(sim)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="catchment.csv")
    ap.add_argument("--window", type=int, default=30)
    ap.add_argument("--hidden", type=int, default=24)
    ap.add_argument("--epochs", type=int, default=24)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    forcing, q = read_catchment(HERE / args.data)
    warm_up = 120                                   # days until the slow average has settled
    forcing, q = forcing[warm_up:], q[warm_up:]
    split = int(0.7 * len(q))
    mean, std = forcing[:split].mean(0), forcing[:split].std(0)
    forcing = (forcing - mean) / std

    train_set = CatchmentWindows(forcing[:split], q[:split], args.window)
    test_set = CatchmentWindows(forcing[split:], q[split:], args.window)
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=256)

    model = RunoffGRU(forcing.shape[1], args.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs, eta_min=args.lr / 20)
    criterion = nn.MSELoss()

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        scheduler.step()
        obs, sim = simulate(model, test_loader)
        print(f"epoch {epoch:2d}  mse {total / len(train_set):.4f}  test NSE {nse(obs, sim):.3f}")


if __name__ == "__main__":
    main()
