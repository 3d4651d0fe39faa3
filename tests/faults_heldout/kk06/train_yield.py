"""Yield model for a batch reactor: predicts conversion from recipe parameters."""
import math

import numpy as np
import torch
from torch import nn

SEED = 8
DTYPE = torch.bfloat16
EPOCHS = 50
BATCH = 64
LR = 4e-4


def reactor_runs(n, rng):
    temp = rng.uniform(320, 400, n)
    time_ = rng.uniform(0.5, 6, n)
    cat = rng.uniform(0.1, 2, n)
    ratio = rng.uniform(0.5, 2, n)
    stir = rng.uniform(100, 600, n)
    ph = rng.uniform(5, 9, n)
    k = 40 * np.exp(-4200 * (1 / temp - 1 / 420)) * cat ** 0.6 / 60
    conv = 1 - np.exp(-k * time_ * np.minimum(ratio, 1.3))
    conv *= 1 - 0.12 * (ph - 7) ** 2 / 4
    conv += rng.normal(0, 0.01, n)
    return np.stack([temp, time_, cat, ratio, stir, ph], 1), conv


class YieldNet(nn.Module):
    def __init__(self, d_in, width=96):
        super().__init__()
        self.l1 = nn.Linear(d_in, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)
        self.act = nn.SiLU()

    def forward(self, x):
        return self.l3(self.act(self.l2(self.act(self.l1(x))))).squeeze(-1)


def r2(pred, y):
    return (1 - ((pred - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()).item()


def main():
    torch.manual_seed(SEED)
    x, y = reactor_runs(4000, np.random.default_rng(SEED))
    x = (x - x.mean(0)) / x.std(0)
    y = (y - y.mean()) / y.std()
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
    xt, yt, xv, yv = x[:3200], y[:3200], x[3200:], y[3200:]

    model = YieldNet(x.shape[1]).to(DTYPE)
    opt = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 0.5 * (1 + math.cos(math.pi * e / EPOCHS)))
    for epoch in range(EPOCHS):
        perm = torch.randperm(len(xt))
        total = 0.0
        for i in range(0, len(perm), BATCH):
            idx = perm[i:i + BATCH]
            pred = model(xt[idx].to(DTYPE)).float()
            loss = nn.functional.mse_loss(pred, yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        if (epoch + 1) % 10 == 0:
            with torch.no_grad():
                pv = model(xv.to(DTYPE)).float()
            print(f"epoch {epoch + 1:3d}  mse {total / len(xt):.4f}  val R2 {r2(pv, yv):.3f}")


if __name__ == "__main__":
    main()
