"""Adapt the regional load forecaster to a single site."""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = Path(__file__).resolve().parent
CONTEXT, HORIZON = 48, 6


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, width)
        self.down = nn.Linear(width, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Forecaster(nn.Module):
    def __init__(self, width=64, depth=2):
        super().__init__()
        self.inp = nn.Linear(CONTEXT + 4, width)
        self.blocks = nn.Sequential(*[Residual(width) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, HORIZON)

    def forward(self, window, calendar):
        h = self.inp(torch.cat([window, calendar], dim=-1))
        return self.out(self.norm(self.blocks(h)))


def windows(load, mean, std):
    z = (load - mean) / std
    xs, cal, ys = [], [], []
    for t in range(CONTEXT, len(z) - HORIZON, 2):
        hour, day = t % 24, (t // 24) % 7
        xs.append(z[t - CONTEXT:t])
        ys.append(z[t:t + HORIZON])
        cal.append([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
                    np.sin(2 * np.pi * day / 7), np.cos(2 * np.pi * day / 7)])
    return [torch.tensor(np.array(a), dtype=torch.float32) for a in (xs, cal, ys)]


def within(model, data, mean, std, tol=0.05):
    """Share of hourly forecasts that lie within +-5 % of the metered load."""
    x, c, y = data
    model.eval()
    dt = next(model.parameters()).dtype
    with torch.no_grad():
        p = model(x.to(dt), c.to(dt)).float()
    p, y = p * std + mean, y * std + mean
    return ((p - y).abs() <= tol * y.abs()).float().mean().item()


def main():
    torch.manual_seed(11)
    load = np.load(HERE / "site_load.npy").astype(np.float64)
    cut = int(0.8 * len(load))
    ckpt = torch.load(HERE / "base.pt", map_location="cpu")
    mean, std = load[:cut].mean(), load[:cut].std()
    train, valid = windows(load[:cut], mean, std), windows(load[cut:], mean, std)

    model = Forecaster(**ckpt["arch"])
    model.load_state_dict(ckpt["weights"], assign=True)
    model.requires_grad_(True)
    dtype = next(model.parameters()).dtype

    epochs, batch = 60, 32
    steps = epochs * ((len(train[0]) + batch - 1) // batch)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.0)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: max(0.05, 1 - s / steps))
    history = [within(model, valid, mean, std)]
    print(f"{len(train[0])} windows, within 5%: {history[0]:.3f} before fine-tuning")

    for epoch in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train[0])).split(batch):
            x, c, y = (t[idx] for t in train)
            pred = model(x.to(dtype), c.to(dtype))
            loss = F.mse_loss(pred.float(), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(idx)
        if (epoch + 1) % 6 == 0:
            history.append(within(model, valid, mean, std))
            print(f"epoch {epoch + 1:2d}  mse {total / len(train[0]):.4f}  within 5%: {history[-1]:.3f}")
    (HERE / "history.json").write_text(json.dumps(history))


if __name__ == "__main__":
    main()
