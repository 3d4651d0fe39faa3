"""Denoising diffusion model for daily load curves (32 points per day)."""
import argparse
import copy
import itertools
import math

import numpy as np
import torch
from torch import nn


def cosine_alpha_bar(n_levels):
    s = 0.008
    t = torch.arange(n_levels + 1, dtype=torch.float64) / n_levels
    f = torch.cos((t + s) / (1 + s) * math.pi / 2) ** 2
    betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
    return torch.cumprod(1 - betas, 0).float(), betas.float()


class Block(nn.Module):
    def __init__(self, width, emb):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.lin1 = nn.Linear(width, width)
        self.film = nn.Linear(emb, 2 * width)
        self.lin2 = nn.Linear(width, width)
        nn.init.zeros_(self.lin2.weight)
        nn.init.zeros_(self.lin2.bias)

    def forward(self, x, e):
        scale, shift = self.film(e).chunk(2, dim=-1)
        h = self.lin1(self.norm(x)) * (1 + scale) + shift
        return x + self.lin2(nn.functional.silu(h))


class Denoiser(nn.Module):
    def __init__(self, length=32, width=96, emb=64, depth=3):
        super().__init__()
        self.register_buffer("freqs", torch.exp(torch.linspace(0, math.log(1000.0), emb // 2)))
        self.time = nn.Sequential(nn.Linear(emb, emb), nn.SiLU())
        self.inp = nn.Linear(length, width)
        self.blocks = nn.ModuleList(Block(width, emb) for _ in range(depth))
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, length))

    def forward(self, x, level):
        ang = level[:, None] * self.freqs[None]
        e = self.time(torch.cat([ang.sin(), ang.cos()], dim=1))
        h = self.inp(x)
        for b in self.blocks:
            h = b(h, e)
        return self.out(h)


def batches(data, size):
    """Endless stream of shuffled batches."""
    while True:
        for idx in torch.randperm(len(data)).split(size):
            if len(idx) == size:
                yield data[idx]


def noisy(x, t, eps, abar):
    a = abar[t][:, None]
    return a.sqrt() * x + (1 - a).sqrt() * eps


def train(net, stream, abar, opt, sched):
    n_levels = len(abar)
    for x in stream:
        t = torch.randint(n_levels, (len(x),))
        eps = torch.randn_like(x)
        loss = (net(noisy(x, t, eps, abar), t / n_levels) - eps).pow(2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        yield loss.item()


@torch.no_grad()
def held_out_loss(net, x, abar):
    g = torch.Generator().manual_seed(99)
    n_levels = len(abar)
    x = x.repeat(4, 1)
    t = torch.randint(n_levels, (len(x),), generator=g)
    eps = torch.randn(x.shape, generator=g)
    return (net(noisy(x, t, eps, abar), t / n_levels) - eps).pow(2).mean().item()


@torch.no_grad()
def sample(net, n, abar, betas, length=32):
    x = torch.randn(n, length)
    n_levels = len(abar)
    for i in reversed(range(n_levels)):
        eps = net(x, torch.full((n,), i / n_levels))
        prev = abar[i - 1] if i else torch.tensor(1.0)
        x0 = ((x - (1 - abar[i]).sqrt() * eps) / abar[i].sqrt()).clamp(-4, 4)
        mean = (prev.sqrt() * betas[i] * x0 + (1 - betas[i]).sqrt() * (1 - prev) * x) / (1 - abar[i])
        var = betas[i] * (1 - prev) / (1 - abar[i])
        x = mean + var.sqrt() * torch.randn_like(x)
    return x


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=1200)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--levels", type=int, default=100)
    ap.add_argument("--ema", type=float, default=0.995)
    args = ap.parse_args()
    torch.manual_seed(5)

    curves = np.load("load_curves.npy").astype(np.float32) / 200
    perm = np.random.default_rng(5).permutation(len(curves))
    tr, va = curves[perm[:2000]], curves[perm[2000:]]
    mu, sd = tr.mean(), tr.std()
    tr, va = torch.from_numpy((tr - mu) / sd), torch.from_numpy((va - mu) / sd)

    abar, betas = cosine_alpha_bar(args.levels)
    net = Denoiser()
    avg = copy.deepcopy(net).eval().requires_grad_(False)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.steps + 1, pct_start=0.1)

    window = []
    steps = itertools.islice(train(net, batches(tr, args.batch), abar, opt, sched), args.steps)
    for i, loss in enumerate(steps, 1):
        decay = min(args.ema, (1 + i) / (10 + i))
        with torch.no_grad():
            for a, p in zip(avg.parameters(), net.parameters()):
                a.lerp_(p, 1 - decay)
        window.append(loss)
        if i % 150 == 0:
            print(f"{i:5d}  loss {np.mean(window):.4f}  held-out {held_out_loss(avg, va, abar):.4f}")
            window.clear()

    gen = sample(avg, 400, abar, betas)
    print(f"mean curve gap {(gen.mean(0) - va.mean(0)).abs().mean():.3f}  "
          f"spread gap {(gen.std(0) - va.std(0)).abs().mean():.3f}  (units of sd)")


if __name__ == "__main__":
    main()
