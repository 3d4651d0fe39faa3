"""Toy denoising diffusion on eye-fixation coordinates (pixels)."""
import copy
import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Settings:
    path: str = "fixations.npy"
    steps: int = 2000
    batch: int = 256
    lr: float = 2e-3
    T: int = 60
    width: int = 128
    ema: float = 0.995
    warmup: int = 100
    seed: int = 15


class TimeEmbed(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(200), dim // 2)))

    def forward(self, t):
        a = t[:, None] * self.freq
        return torch.cat([a.sin(), a.cos()], 1)


class Denoiser(nn.Module):
    def __init__(self, width, tdim=32):
        super().__init__()
        self.time = nn.Sequential(TimeEmbed(tdim), nn.Linear(tdim, width), nn.SiLU())
        self.inp = nn.Linear(2, width)
        self.mid = nn.ModuleList([nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width)) for _ in range(2)])
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        h, e = self.inp(x), self.time(t)
        for m in self.mid:
            h = h + m(h + e)
        return self.out(nn.functional.silu(h))


class Diffusion:
    def __init__(self, T):
        s = torch.arange(T + 1) / T
        f = torch.cos((s + 0.01) / 1.01 * math.pi / 2) ** 2
        self.T = T
        self.abar = (f / f[0])[1:].clamp(min=1e-4)
        prev = torch.cat([torch.ones(1), self.abar[:-1]])
        self.alpha = self.abar / prev
        self.var = (1 - self.alpha) * (1 - prev) / (1 - self.abar)

    def noisy(self, x, t, eps):
        a = self.abar[t][:, None]
        return a.sqrt() * x + (1 - a).sqrt() * eps

    def loss(self, net, x, gen=None):
        t = torch.randint(self.T, (len(x),), generator=gen)
        eps = torch.randn(x.shape, generator=gen)
        return nn.functional.mse_loss(net(self.noisy(x, t, eps), (t + 1) / self.T), eps)

    @torch.no_grad()
    def sample(self, net, n):
        x = torch.randn(n, 2)
        for k in reversed(range(self.T)):
            eps = net(x, torch.full((n,), (k + 1) / self.T))
            x0 = ((x - (1 - self.abar[k]).sqrt() * eps) / self.abar[k].sqrt()).clamp(-3, 3)
            prev = self.abar[k - 1] if k else torch.tensor(1.0)
            x = (prev.sqrt() * (1 - self.alpha[k]) * x0 + self.alpha[k].sqrt() * (1 - prev) * x) / (1 - self.abar[k])
            if k:
                x = x + self.var[k].sqrt() * torch.randn_like(x)
        return x


def mmd(a, b, widths=(0.1, 0.3, 1.0)):
    k = lambda u, v: sum(torch.exp(-torch.cdist(u, v) ** 2 / (2 * w * w)).mean() for w in widths)
    return (k(a, a) + k(b, b) - 2 * k(a, b)).clamp(min=0).sqrt().item()


def main(s=Settings()):
    torch.manual_seed(s.seed)
    pts = np.load(s.path)
    pts = pts[np.random.default_rng(s.seed).permutation(len(pts))]
    train, test = torch.from_numpy(pts[1000:]), torch.from_numpy(pts[:1000])
    mu, sd = train.mean(0), train.std(0)
    train, test = (train - mu) / sd, (test - mu) / sd

    diff, net = Diffusion(s.T), Denoiser(s.width)
    avg = copy.deepcopy(net).requires_grad_(False)
    opt = torch.optim.Adam(net.parameters(), lr=s.lr)
    cos = lambda i: min((i + 1) / s.warmup, 0.5 + 0.5 * math.cos(math.pi * i / s.steps))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, cos)
    print(f"mmd train/test {mmd(train[:1000], test):.4f}, gaussian/test {mmd(torch.randn(1000, 2), test):.4f}")

    run = []
    for i in range(1, s.steps + 1):
        x = train[torch.randint(len(train), (s.batch,))]
        loss = diff.loss(net, x)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        with torch.no_grad():
            for a, p in zip(avg.parameters(), net.parameters()):
                a.lerp_(p, 1 - s.ema)
        run.append(loss.item())
        if i % 250 == 0:
            held = diff.loss(avg, test.repeat(5, 1), torch.Generator().manual_seed(0)).item()
            print(f"{i:5d} train {np.mean(run[-250:]):.4f} held-out {held:.4f} mmd {mmd(diff.sample(avg, 1000), test):.4f}")


main()
