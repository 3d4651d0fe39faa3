"""Next-day discharge of a mountain river from 30 days of flow and the rain/temperature forecasts."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_

WINDOW = 30


def catchment(days, seed):
    g = np.random.default_rng(seed)
    wet = g.random(days) < 0.3
    rain = np.where(wet, g.pareto(1.9, days) * 4 + 1, 0.0)
    temp = 8 - 10 * np.cos(2 * np.pi * np.arange(days) / 365) + g.normal(0, 3, days)
    flow, soil, snow = np.zeros(days), 20.0, 0.0
    for d in range(days):
        if temp[d] < 0:
            snow += rain[d]
            water = 0.0
        else:
            melt = min(snow, 1.2 * temp[d])
            snow -= melt
            water = rain[d] + melt
        soil += water
        quick = 0.5 * max(soil - 40, 0)
        base = 0.04 * soil
        soil -= quick + base
        flow[d] = quick + base + 0.4
    # rain and temperature are the forecasts for the coming day
    return np.stack([np.roll(rain, -1), np.roll(temp, -1), flow], 1).astype(np.float32)


class FlowGRU(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(3, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        z, _ = self.gru(x)
        return self.out(z[:, -1]).squeeze(-1)


def windows(table):
    x = np.stack([table[i:i + WINDOW] for i in range(len(table) - WINDOW)])
    return torch.from_numpy(x), torch.from_numpy(table[WINDOW:, 2])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--clip", type=float, default=0.5)
    args = ap.parse_args()
    torch.manual_seed(21)

    table = catchment(2600, seed=7)
    cut = 2000
    mean = table[:cut].mean(0)
    scale = np.median(np.abs(table[:cut] - np.median(table[:cut], 0)), 0) + 0.5
    table = (table - mean) / scale
    x_train, y_train = windows(table[:cut])
    x_test, y_test = windows(table[cut:])

    net = FlowGRU()
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    mse = nn.MSELoss()
    persistence = (x_test[:, -1, 2] - y_test).abs().mean().item() * scale[2]
    print(f"persistence MAE {persistence:.2f} m3/s")
    for epoch in range(args.epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(x_train)).split(args.batch):
            opt.zero_grad()
            loss = mse(net(x_train[idx]), y_train[idx])
            clip_grad_norm_(net.parameters(), args.clip)
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            err = (net(x_test) - y_test).abs().mean().item() * scale[2]
        print(f"epoch {epoch + 1:2d}  train mse {total / len(x_train):.3f}  test MAE {err:.2f} m3/s")


if __name__ == "__main__":
    main()
