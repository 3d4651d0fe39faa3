"""Gearbox oil temperature one hour ahead (six ten-minute records) for turbine WT07."""
import math
import os
import random

import numpy as np
import torch
import torch.nn as nn

LOOK_BACK = 24
AHEAD = 6
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wt07.csv")


class Forecaster(nn.Module):
    def __init__(self, channels, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(channels, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.GELU(), nn.Linear(32, 1))

    def forward(self, x):
        # predicts the change against the last record
        states, _ = self.rnn(x)
        return self.head(states[:, -1]).squeeze(-1)


def windows(table, oil, start, stop):
    xs, ys = [], []
    for end in range(start + LOOK_BACK, stop - AHEAD):
        xs.append(table[end - LOOK_BACK:end])
        ys.append(oil[end - 1 + AHEAD] - oil[end - 1])
    return torch.tensor(np.stack(xs), dtype=torch.float32), torch.tensor(np.array(ys), dtype=torch.float32)


def main():
    random.seed(2)
    torch.manual_seed(2)
    table = np.genfromtxt(FILE, delimiter=",", skip_header=1)
    cut = 4160
    mean, std = np.nanmean(table[:cut], axis=0), np.nanstd(table[:cut], axis=0)
    oil = table[:, 5].copy()
    table = (table - mean) / std

    x_fit, y_fit = windows(table, oil, 0, cut)
    x_new, y_new = windows(table, oil, cut, len(table))
    scale = y_fit.std()
    persistence = y_new.pow(2).mean().sqrt()
    print(f"{len(x_fit)} windows, hold-out {len(x_new)}, persistence rmse {persistence:.3f} K")

    model = Forecaster(table.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    epochs, batch = 10, 64
    steps = epochs * math.ceil(len(x_fit) / batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    for epoch in range(epochs):
        order = torch.randperm(len(x_fit))
        losses = []
        model.train()
        for rows in order.split(batch):
            pred = model(x_fit[rows])
            loss = nn.functional.mse_loss(pred, y_fit[rows] / scale)
            if math.isfinite(loss.item()):
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                optimizer.step()
                losses.append(loss.item())
            schedule.step()
        model.eval()
        with torch.no_grad():
            rmse = (model(x_new) * scale - y_new).pow(2).mean().sqrt()
        print(f"epoch {epoch + 1:2d}  mse {np.mean(losses) if losses else float('nan'):.4f}  hold-out rmse {rmse:.3f} K")


if __name__ == "__main__":
    main()
