"""Two-dimensional ring of eight clusters: non-saturating GAN with R1 penalty and an averaged generator."""
import copy
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    steps: int = 3600
    batch: int = 256
    z_dim: int = 8
    width: int = 96
    lr_g: float = 5e-4
    lr_d: float = 1e-3
    r1: float = 0.03
    avg_decay: float = 0.99
    seed: int = 1


CENTERS = torch.stack([torch.tensor([2 * math.cos(a), 2 * math.sin(a)])
                       for a in torch.arange(8).mul(math.pi / 4).tolist()])
SIGMA = 0.1


def real_batch(n):
    return CENTERS[torch.randint(0, 8, (n,))] + SIGMA * torch.randn(n, 2)


def mlp(i, o, w):
    return nn.Sequential(nn.Linear(i, w), nn.LeakyReLU(0.2), nn.Linear(w, w), nn.LeakyReLU(0.2), nn.Linear(w, o))


@torch.no_grad()
def report(gen, z_dim):
    s = gen(torch.randn(2000, z_dim))
    dist, idx = torch.cdist(s, CENTERS).min(1)
    good = dist < 4 * SIGMA
    counts = torch.bincount(idx[good], minlength=8)
    return int((counts > 40).sum()), good.float().mean().item()


def main(cfg):
    torch.manual_seed(cfg.seed)
    G, D = mlp(cfg.z_dim, 2, cfg.width), mlp(2, 1, cfg.width)
    G_avg = copy.deepcopy(G).requires_grad_(False)
    opt_g = torch.optim.Adam(G.parameters(), lr=cfg.lr_g, betas=(0.0, 0.99))
    opt_d = torch.optim.Adam(D.parameters(), lr=cfg.lr_d, betas=(0.0, 0.99))

    for step in range(1, cfg.steps + 1):
        x = real_batch(cfg.batch).requires_grad_(True)
        fake = G(torch.randn(cfg.batch, cfg.z_dim)).detach()
        d_real, d_fake = D(x), D(fake)
        (gx,) = torch.autograd.grad(d_real.sum(), x, create_graph=True)
        loss_d = F.softplus(-d_real).mean() + F.softplus(d_fake).mean() + 0.5 * cfg.r1 * gx.pow(2).sum(1).mean()
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()

        D.requires_grad_(False)
        loss_g = F.softplus(-D(G(torch.randn(cfg.batch, cfg.z_dim)))).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        D.requires_grad_(True)

        with torch.no_grad():
            for pa, p in zip(G_avg.parameters(), G.parameters()):
                pa.lerp_(p, 1 - cfg.avg_decay)

        if step % 300 == 0:
            modes, quality = report(G_avg, cfg.z_dim)
            print(f"step {step:5d}  D {loss_d.item():.3f}  G {loss_g.item():.3f}  modes {modes}/8  on-mode {quality:.2f}")


if __name__ == "__main__":
    main(Config())
