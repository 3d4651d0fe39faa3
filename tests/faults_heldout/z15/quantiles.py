"""Quantile forecast of the load one day ahead from the last 24 hours of station data."""
from pathlib import Path

import numpy as np
import torch
from torch import nn

QUANTILES = torch.tensor([0.1, 0.5, 0.9])
LAGS, HORIZON = 24, 24


def load_table(path):
    """Read the logger file; empty cells become the column mean."""
    table = np.genfromtxt(path, delimiter=",", skip_header=1, dtype="float32")[:, 1:]
    column_mean = np.nanmean(table, axis=0, keepdims=True)
    return np.where(table == np.nan, column_mean, table)


def make_windows(table, start, stop):
    x = np.stack([table[k - LAGS:k] for k in range(start + LAGS, stop - HORIZON)])
    y = table[start + LAGS + HORIZON:stop, -1]
    return torch.from_numpy(x), torch.from_numpy(y)


def pinball(pred, y):
    diff = y[:, None] - pred
    return torch.maximum(QUANTILES * diff, (QUANTILES - 1) * diff).mean()


class QuantileGRU(nn.Module):
    def __init__(self, n_channels, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(n_channels, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, len(QUANTILES)))

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1])


def main():
    torch.manual_seed(15)
    table = load_table(Path(__file__).with_name("station.csv"))
    cut = 2300
    centre, scale = np.nanmean(table[:cut], axis=0), np.nanstd(table[:cut], axis=0)
    table = ((table - centre) / scale).astype("float32")
    x, y = make_windows(table, 0, cut)
    xv, yv = make_windows(table, cut, len(table))

    model = QuantileGRU(x.shape[-1])
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(10):
        model.train()
        losses = []
        for i in torch.randperm(len(x)).split(64):
            loss = pinball(model(x[i]), y[i])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            pred = model(xv)
            inside = ((yv >= pred[:, 0]) & (yv <= pred[:, 2])).float().mean().item()
            print(f"epoch {epoch:2d}  train pinball {np.mean(losses):.4f}  val pinball {pinball(pred, yv):.4f}  80% band covers {inside:.2f}")


if __name__ == "__main__":
    main()
