"""Electricity price six hours ahead from the last two days. Prices have rare spikes."""
import numpy as np
import torch
import torch.nn as nn

WINDOW = 48
AHEAD = 6
BATCH = 32
EPOCHS = 12
LR = 0.05
MAX_NORM = 1.0


def robust_scale(p, n):
    med = np.median(p[:n])
    q1, q3 = np.quantile(p[:n], [0.25, 0.75])
    return (p - med) / (q3 - q1), q3 - q1


def make_windows(series, hour):
    v = np.lib.stride_tricks.sliding_window_view(series, WINDOW + AHEAD)
    h = 2 * np.pi * hour[WINDOW + AHEAD - 1:] / 24
    x = np.c_[np.clip(v[:, :WINDOW], -4, 4), np.sin(h), np.cos(h)]
    return torch.tensor(x, dtype=torch.float32), torch.tensor(v[:, -1].copy(), dtype=torch.float32)


class Forecaster(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(WINDOW + 2, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def evaluate(model, x, y, unit):
    model.eval()
    with torch.no_grad():
        e = (model(x) - y).abs()
    return e.median().item() * unit


def main():
    torch.manual_seed(16)
    data = np.loadtxt("prices.csv", delimiter=",", skiprows=1)
    hour, price = data[:, 0], data[:, 1]
    split = 3600
    series, unit = robust_scale(price, split)
    x, y = make_windows(series, hour)
    k = split - WINDOW - AHEAD + 1
    model = Forecaster()
    optimizer = torch.optim.SGD(model.parameters(), lr=LR)
    naive = (x[k:, WINDOW - 1] - y[k:]).abs().median().item() * unit
    print(f"last price as forecast: median error {naive:.2f} EUR")
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for idx in torch.randperm(k).split(BATCH):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x[idx]), y[idx])
            nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: median batch loss {np.median(losses):.4f} (max {max(losses):.1f}), "
              f"median error {evaluate(model, x[k:], y[k:], unit):.2f} EUR")


if __name__ == "__main__":
    main()
