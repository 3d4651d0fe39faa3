#!/usr/bin/env python
"""Generative adversarial net for eight 2-d clusters on a ring (non-saturating loss, R1 penalty, averaged generator)."""
import copy
import math
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

ITERS = int(os.environ.get("GAN_ITERS", 2500))
BATCH = 128
NOISE = 4
R1_EVERY, R1_WEIGHT = 4, 0.5
SPREAD = 0.08


def centres():
    a = torch.arange(8) * (2 * math.pi / 8)
    return torch.stack([a.cos(), a.sin()], 1) * 1.5


def real_batch(n, gen):
    c = centres()[torch.randint(0, 8, (n,), generator=gen)]
    return c + SPREAD * torch.randn(n, 2, generator=gen)


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def r1(d, x):
    x = x.detach().requires_grad_(True)
    g, = torch.autograd.grad(d(x).sum(), x, create_graph=True)
    return g.pow(2).sum(1).mean()


@torch.no_grad()
def report(g, n=2000):
    gen = torch.Generator().manual_seed(99)
    fake = g(torch.randn(n, NOISE, generator=gen))
    dist = torch.cdist(fake, centres())
    near, which = dist.min(1)
    good = near < 4 * SPREAD
    counts = torch.bincount(which[good], minlength=8)
    real = real_batch(n, gen)
    energy = 2 * torch.cdist(fake, real).mean() - torch.cdist(fake, fake).mean() - torch.cdist(real, real).mean()
    return good.float().mean().item(), int((counts > n // 80).sum()), energy.item()


def main():
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(4)
    G, D = mlp(NOISE, 2), mlp(2, 1)
    G_avg = copy.deepcopy(G).requires_grad_(False)
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))

    for it in range(1, ITERS + 1):
        real = real_batch(BATCH, gen)
        with torch.no_grad():
            fake = G(torch.randn(BATCH, NOISE))
        loss_d = F.softplus(-D(real)).mean() + F.softplus(D(fake)).mean()
        total_d = loss_d
        if it % R1_EVERY == 0:
            total_d = loss_d + 0.5 * R1_WEIGHT * R1_EVERY * r1(D, real)
        opt_d.zero_grad()
        total_d.backward()
        opt_d.step()

        loss_g = F.softplus(-D(G(torch.randn(BATCH, NOISE)))).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()

        with torch.no_grad():
            for a, p in zip(G_avg.parameters(), G.parameters()):
                a.lerp_(p, 0.01)

        if it % 250 == 0:
            q, modes, e = report(G_avg)
            print(f"{it:5d}  d {loss_d.item():.3f}  g {loss_g.item():.3f}  "
                  f"on-cluster {q:.2f}  clusters {modes}/8  energy distance {e:.4f}")


if __name__ == "__main__":
    main()
