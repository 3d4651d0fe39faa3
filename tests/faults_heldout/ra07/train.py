"""Short-term load forecasting: next-hour demand from the last 36 hours."""
import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WINDOW = 36


def synth(hours=2600, seed=4):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    daily = np.sin(2 * np.pi * t / 24) + 0.4 * np.sin(4 * np.pi * t / 24 + 1.0)
    weekly = 0.5 * np.cos(2 * np.pi * t / 168)
    ar = np.zeros(hours)
    for i in range(1, hours):
        ar[i] = 0.9 * ar[i - 1] + 0.12 * rng.standard_normal()
    return (daily + weekly + ar).astype(np.float32)


class Windows(Dataset):
    def __init__(self, series):
        self.series = torch.from_numpy(series)

    def __len__(self):
        return len(self.series) - WINDOW

    def __getitem__(self, i):
        return self.series[i:i + WINDOW], self.series[i + WINDOW]


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(WINDOW, 64), nn.SiLU(),
            nn.Linear(64, 64), nn.SiLU(),
            nn.Linear(64, 1),
        )

    def forward(self, x):
        return self.net(x)


def score(model, loader):
    model.eval()
    preds, trues = [], []
    with torch.no_grad():
        for x, y in loader:
            preds.append(model(x).flatten())
            trues.append(y)
    p, t = torch.cat(preds), torch.cat(trues)
    return math.sqrt(((p - t) ** 2).mean().item()), (1 - ((p - t) ** 2).sum() / ((t - t.mean()) ** 2).sum()).item()


def main():
    torch.manual_seed(8)
    series = synth()
    cut = 2100
    mu, sd = series[:cut].mean(), series[:cut].std()
    series = (series - mu) / sd
    train = DataLoader(Windows(series[:cut]), batch_size=64, shuffle=True)
    valid = DataLoader(Windows(series[cut:]), batch_size=256)
    model = Forecaster()
    criterion = nn.HuberLoss(delta=1.0)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(20):
        model.train()
        acc = []
        for x, y in train:
            opt.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            opt.step()
            acc.append(loss.item())
        rmse, r2 = score(model, valid)
        print(f"epoch {epoch:02d} huber {np.mean(acc):.4f} valid rmse {rmse:.4f} r2 {r2:.3f}")


if __name__ == "__main__":
    import warnings

    warnings.filterwarnings("ignore", category=UserWarning)
    main()
