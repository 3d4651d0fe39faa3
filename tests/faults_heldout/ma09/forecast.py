"""Heat demand, six hours ahead, from 48 hours of (demand, outdoor temperature, weekday flag)."""
import argparse

import numpy as np
import torch
from torch import nn

from sampling import WindowSampler


class Forecaster(nn.Module):
    def __init__(self, channels, hidden, horizon):
        super().__init__()
        self.gru = nn.GRU(channels, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, horizon))

    def forward(self, x):
        _, h = self.gru(x)
        # forecast the change against the last hour that is known
        return x[:, -1, :1] + self.head(h[-1])


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=400)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--seed", type=int, default=8)
    return p.parse_args()


def main():
    a = parse()
    torch.manual_seed(a.seed)
    series = np.load("demand.npy").astype(np.float32)
    cut = int(len(series) * 0.8)
    mean, std = series[:cut].mean(0), series[:cut].std(0)
    series = (series - mean) / std
    train = WindowSampler(series[:cut], 48, 6, a.batch, a.seed)
    test = WindowSampler(series[cut:], 48, 6, a.batch, a.seed)
    xt, yt = test.grid(stride=5)

    model = Forecaster(series.shape[1], a.hidden, 6)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    naive = (xt[:, -1, :1] - yt).abs().mean().item() * std[0]
    print(f"{len(xt)} test windows, persistence error {naive:.2f} kW")

    avg = None
    for step in range(a.steps):
        model.train()
        x, y = train.draw()
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
        if (step + 1) % 80 == 0:
            model.eval()
            with torch.no_grad():
                pred = model(xt)
            print(f"step {step + 1}  train mse {avg:.4f}  test mse {nn.functional.mse_loss(pred, yt):.4f}  "
                  f"test error {(pred - yt).abs().mean().item() * std[0]:.2f} kW")


if __name__ == "__main__":
    main()
