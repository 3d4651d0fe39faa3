"""Density model of four coupled sensor channels: affine coupling flow, fitted by maximum likelihood."""
import argparse
import math

import numpy as np
import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--steps", type=int, default=1500)
ap.add_argument("--batch", type=int, default=256)
ap.add_argument("--lr", type=float, default=1.5e-3)
ap.add_argument("--seed", type=int, default=3)
args = ap.parse_args()

torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)


def make_channels(n):
    arm = rng.integers(0, 3, n)
    r = rng.gamma(8.0, 0.15, n)
    phi = arm * 2 * math.pi / 3 + 0.9 * r + rng.normal(0, 0.12, n)
    x, y = r * np.cos(phi), r * np.sin(phi)
    a = x ** 2 - 0.5 * y + rng.normal(0, 0.2, n)
    b = np.sin(2 * y) + 0.3 * a + rng.normal(0, 0.15, n)
    return np.stack([x, y, a, b], 1).astype(np.float32)


train, held = make_channels(50000), make_channels(3000)
mu, sd = train.mean(0), train.std(0)
train = torch.from_numpy((train - mu) / sd)
held = torch.from_numpy((held - mu) / sd)


class Coupling(nn.Module):
    def __init__(self, dim, width, flip):
        super().__init__()
        self.flip = flip
        self.half = dim // 2
        self.net = nn.Sequential(
            nn.Linear(self.half, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 2 * (dim - self.half)))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x[:, :self.half], x[:, self.half:]
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        s = 1.5 * torch.tanh(s / 1.5)
        b = b * torch.exp(s) + t
        out = torch.cat([b, a] if self.flip else [a, b], dim=1)
        return out, s.sum(1)


class Flow(nn.Module):
    def __init__(self, dim=4, width=48, depth=6):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(dim, width, i % 2 == 1) for i in range(depth))
        mixes = []
        for _ in range(depth):
            q, _ = torch.linalg.qr(torch.randn(dim, dim))
            mixes.append(q)
        self.register_buffer("mix", torch.stack(mixes))

    def log_prob(self, x):
        logdet = torch.zeros(x.shape[0])
        for layer, q in zip(self.layers, self.mix):
            x, ld = layer(x @ q)
            logdet = logdet + ld
        base = -0.5 * (x ** 2).sum(1) - 0.5 * x.shape[1] * math.log(2 * math.pi)
        return base + logdet


flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=args.lr, maximize=True)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps, eta_min=args.lr * 0.02)

cov = torch.cov(train.T)
gauss = torch.distributions.MultivariateNormal(train.mean(0), cov).log_prob(held).mean().item()
print(f"full-covariance gaussian, held-out log-likelihood {gauss:.3f}")

order = torch.randperm(len(train))
pos = 0
running = []
for step in range(1, args.steps + 1):
    if pos + args.batch > len(order):
        order, pos = torch.randperm(len(train)), 0
    idx = order[pos:pos + args.batch]
    pos += args.batch
    loglik = flow.log_prob(train[idx]).mean()
    opt.zero_grad()
    loglik.backward()
    opt.step()
    sched.step()
    running.append(loglik.item())
    if step % 150 == 0:
        flow.eval()
        with torch.no_grad():
            h = flow.log_prob(held).mean().item()
        flow.train()
        print(f"step {step:5d}  log-likelihood train {np.mean(running[-150:]):.3f}  held-out {h:.3f}")
