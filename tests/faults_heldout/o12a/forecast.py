import argparse
import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def parse():
    p = argparse.ArgumentParser(description="six-hours-ahead load forecast")
    p.add_argument("--csv", default="load.csv")
    p.add_argument("--lookback", type=int, default=48)
    p.add_argument("--horizon", type=int, default=6)
    p.add_argument("--hidden", type=int, default=48)
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--momentum", type=float, default=0.9)
    p.add_argument("--max-norm", type=float, default=1.0)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


class Windows(Dataset):
    def __init__(self, series, target, lookback, horizon, start, stop):
        self.series, self.target = series, target
        self.lookback, self.horizon = lookback, horizon
        self.first = range(start, stop - lookback - horizon + 1)

    def __len__(self):
        return len(self.first)

    def __getitem__(self, k):
        i = self.first[k]
        j = i + self.lookback
        return self.series[i:j], self.target[j : j + self.horizon]


class Forecaster(nn.Module):
    def __init__(self, n_features, lookback, hidden, horizon):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(n_features, hidden, 5, stride=2, padding=2), nn.ReLU(),
            nn.Conv1d(hidden, hidden, 5, stride=2, padding=2), nn.ReLU(),
        )
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(hidden * math.ceil(lookback / 4), 64), nn.ReLU(), nn.Linear(64, horizon))

    def forward(self, x):
        return self.fc(self.conv(x.transpose(1, 2)))


def features(csv):
    hour, temp, load = np.loadtxt(csv, delimiter=",", skiprows=1, unpack=True)
    n_train = int(0.8 * len(hour))
    z = lambda v: (v - v[:n_train].mean()) / v[:n_train].std()
    scale = load[:n_train].std()
    day, week = 2 * np.pi * hour / 24, 2 * np.pi * hour / 168
    cols = [z(load), z(temp), np.sin(day), np.cos(day), np.sin(week), np.cos(week)]
    x = torch.tensor(np.stack(cols, 1), dtype=torch.float32)
    return x, x[:, 0].clone(), n_train, scale


def mae(model, loader):
    model.eval()
    s = n = 0
    with torch.no_grad():
        for x, y in loader:
            s += (model(x) - y).abs().sum().item()
            n += y.numel()
    return s / n


def main():
    a = parse()
    torch.manual_seed(a.seed)
    x, y, n_train, scale = features(a.csv)
    train = DataLoader(Windows(x, y, a.lookback, a.horizon, 0, n_train), a.batch, shuffle=True)
    test_set = Windows(x, y, a.lookback, a.horizon, n_train, len(x))
    test = DataLoader(test_set, 256)

    # what "same hour yesterday" would give
    yesterday = np.mean([(yy - xx[-24 : -24 + a.horizon, 0]).abs().mean().item() for xx, yy in test_set])
    print(f"{len(train.dataset)} windows, yesterday's load: test mae {yesterday * scale:.1f} MW")

    model = Forecaster(x.shape[1], a.lookback, a.hidden, a.horizon)
    opt = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=a.momentum)
    for epoch in range(1, a.epochs + 1):
        model.train()
        total = 0.0
        for xb, yb in train:
            loss = nn.functional.mse_loss(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), a.max_norm)
            opt.step()
            total += loss.item() * len(yb)
        print(f"epoch {epoch:2d} train mse {total / len(train.dataset):.4f} test mae {mae(model, test) * scale:.1f} MW")


if __name__ == "__main__":
    main()
