"""Next-day demand from the last four weeks, one model over many shops."""
import csv
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WINDOW = 28


def simulate(n_shops=25, days=420, seed=9):
    rng = np.random.default_rng(seed)
    t = np.arange(days)
    series = []
    for _ in range(n_shops):
        week = rng.normal(size=7) * 0.35
        level = rng.uniform(2.5, 4.5) + 0.3 * np.sin(2 * np.pi * (t / 365 + rng.random()))
        ar = np.zeros(days)
        for k in range(1, days):
            ar[k] = 0.7 * ar[k - 1] + 0.08 * rng.normal()
        series.append(rng.poisson(np.exp(level + week[t % 7] + ar)))
    return np.stack(series)


class Windows(Dataset):
    def __init__(self, z, start, stop):
        self.z = torch.tensor(z, dtype=torch.float32)
        self.index = [(s, d) for s in range(len(z)) for d in range(max(start, WINDOW), stop)]

    def __len__(self):
        return len(self.index)

    def __getitem__(self, k):
        s, d = self.index[k]
        return self.z[s, d - WINDOW:d, None], self.z[s, d]


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 48, batch_first=True)
        # demand is never negative
        self.head = nn.Sequential(nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 1), nn.Softplus())

    def forward(self, x):
        _, h = self.rnn(x)
        return self.head(h[-1]).squeeze(-1)


def main():
    torch.manual_seed(9)
    demand = np.log1p(simulate())
    cut = 340
    mu = demand[:, :cut].mean(1, keepdims=True)
    sd = demand[:, :cut].std(1, keepdims=True)
    z = (demand - mu) / sd
    train = DataLoader(Windows(z, 0, cut), batch_size=128, shuffle=True)
    valid = DataLoader(Windows(z, cut, z.shape[1]), batch_size=500)

    model = Forecaster()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    writer = csv.writer(sys.stdout)
    writer.writerow(["epoch", "train_mse", "valid_mse", "valid_naive_week"])
    naive = np.mean((z[:, cut:] - z[:, cut - 7:-7]) ** 2)
    for epoch in range(5):
        model.train()
        acc = []
        for x, y in train:
            loss = nn.functional.mse_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc.append(loss.item())
        model.eval()
        with torch.no_grad():
            err = torch.cat([(model(x) - y) ** 2 for x, y in valid])
        writer.writerow([epoch, f"{np.mean(acc):.4f}", f"{err.mean():.4f}", f"{naive:.4f}"])


if __name__ == "__main__":
    main()
