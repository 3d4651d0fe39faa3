"""Day-ahead load of a distribution substation, one hour at a time, from the load of the days before and the
temperature forecast for that hour."""
import argparse
import math

import numpy as np
import torch
from torch import nn

LAGS = 72


def load_series(days, seed):
    r = np.random.default_rng(seed)
    t = np.arange(days * 24)
    hour, dow = t % 24, (t // 24) % 7
    temp = 10 + 9 * np.sin(2 * np.pi * (t / 24 - 100) / 365) + 4 * np.sin(2 * np.pi * (hour - 9) / 24)
    drift = np.zeros(len(t))
    for i in range(1, len(t)):
        drift[i] = 0.97 * drift[i - 1] + r.normal(0, 0.35)
    temp = temp + 2 * drift
    morning, evening = np.exp(-((hour - 8) / 2.0) ** 2), np.exp(-((hour - 19) / 2.5) ** 2)
    work = np.where(dow < 5, 1.0, 0.55)
    kw = 420 + 190 * morning * work + 260 * evening * (0.6 + 0.4 * work) + 6.5 * np.maximum(16 - temp, 0)
    kw += 9 * np.maximum(temp - 22, 0) + r.normal(0, 12, len(t))
    cal = np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24), dow >= 5, temp], 1)
    return kw.astype(np.float32), cal.astype(np.float32)


def windows(kw, cal):
    idx = np.arange(LAGS + 24, len(kw))
    past = np.stack([kw[i - 24 - LAGS:i - 24] for i in idx])
    return np.concatenate([past, cal[idx]], 1), kw[idx]


def lr_at(step, total, base, floor=1e-6, warm=5):
    if step < warm:
        return base * (step + 1) / warm
    done = min(1.0, (step - warm) / max(1, total - warm))
    return floor + 0.5 * (base - floor) * (1 + math.cos(math.pi * done))


class LoadNet(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=24)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--width", type=int, default=48)
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()
    torch.manual_seed(a.seed)

    kw, cal = load_series(420, a.seed)
    x, y = windows(kw, cal)
    cut = int(len(x) * 0.8)
    xm, xs, ym, ys = x[:cut].mean(0), x[:cut].std(0), y[:cut].mean(), y[:cut].std()
    x = torch.from_numpy((x - xm) / xs)
    t = torch.from_numpy((y - ym) / ys)
    net = LoadNet(x.shape[1], a.width)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    per_epoch = math.ceil(cut / a.batch_size)
    print(f"{cut} training hours, {len(x) - cut} for checking, {per_epoch} batches per epoch")

    step = 0
    for epoch in range(a.epochs):
        net.train()
        seen = 0.0
        for idx in torch.randperm(cut).split(a.batch_size):
            for group in opt.param_groups:
                group["lr"] = lr_at(step, a.epochs, a.lr)
            loss = (net(x[idx]) - t[idx]).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            seen += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            pred = net(x[cut:]).numpy() * ys + ym
        mae = np.abs(pred - y[cut:]).mean()
        print(f"epoch {epoch + 1:2d}  train mse {seen / cut:.4f}  val mae {mae:6.2f} kW  "
              f"mape {100 * np.mean(np.abs(pred - y[cut:]) / y[cut:]):.2f}%")


if __name__ == "__main__":
    main()
