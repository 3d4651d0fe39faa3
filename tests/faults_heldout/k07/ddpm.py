"""Small DDPM on 8x8 digits. Validation = noise-prediction error of the averaged weights on unseen images."""
import copy
import csv
import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

T = 100


class Embed(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(1000), dim // 2)) / 100)

    def forward(self, t):
        a = t.float()[:, None] * self.freq
        return torch.cat([a.sin(), a.cos()], 1)


class Block(nn.Module):
    def __init__(self, width, cond):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc1 = nn.Linear(width, width)
        self.fc2 = nn.Linear(width, width)
        self.cond = nn.Linear(cond, width)

    def forward(self, h, c):
        return h + self.fc2(F.silu(self.fc1(self.norm(h)) + self.cond(c)))


class Denoiser(nn.Module):
    def __init__(self, width=256, depth=3, cond=64):
        super().__init__()
        self.embed = nn.Sequential(Embed(32), nn.Linear(32, cond), nn.SiLU())
        self.inp = nn.Linear(64, width)
        self.blocks = nn.ModuleList(Block(width, cond) for _ in range(depth))
        self.out = nn.Linear(width, 64)

    def forward(self, x, t):
        c = self.embed(t)
        h = self.inp(x)
        for b in self.blocks:
            h = b(h, c)
        return self.out(h)


betas = torch.linspace(1e-3, 0.08, T)
abar = torch.cumprod(1 - betas, 0)


def noised(x, t, eps):
    a = abar[t][:, None]
    return a.sqrt() * x + (1 - a).sqrt() * eps


def main():
    torch.manual_seed(12)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 8 - 1
    x = x[torch.randperm(len(x))]
    val, train = x[:300], x[300:]
    g = torch.Generator().manual_seed(1)
    vt = torch.randint(T, (4 * len(val),), generator=g)
    veps = torch.randn(4 * len(val), 64, generator=g)
    vx = val.repeat(4, 1)

    model = Denoiser()
    ema = copy.deepcopy(model).eval().requires_grad_(False)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    epochs, bs = 70, 64
    per_epoch = len(train) // bs
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 2e-3, total_steps=epochs * per_epoch, pct_start=0.1)
    out = csv.writer(sys.stdout)
    out.writerow(["epoch", "train_mse", "val_mse_ema", "lr"])
    for epoch in range(epochs):
        total = 0.0
        perm = torch.randperm(len(train))
        for i in range(per_epoch):
            xb = train[perm[i * bs:(i + 1) * bs]]
            t = torch.randint(T, (bs,))
            eps = torch.randn_like(xb)
            loss = F.mse_loss(model(noised(xb, t, eps), t), eps)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            with torch.no_grad():
                for pe, p in zip(ema.parameters(), model.parameters()):
                    pe.lerp_(p, 0.01)
            total += loss.item()
        if (epoch + 1) % 10 == 0:
            with torch.no_grad():
                v = F.mse_loss(ema(noised(vx, vt, veps), vt), veps).item()
            out.writerow([epoch + 1, round(total / per_epoch, 4), round(v, 4), f"{sched.get_last_lr()[0]:.2e}"])


if __name__ == "__main__":
    main()
