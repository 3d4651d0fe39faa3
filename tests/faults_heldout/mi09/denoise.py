"""Generator of plausible (u, v, gust) triples from a wind mast record."""
import copy
import math

import numpy as np
import torch
from torch import nn

T = 100
STEPS = 2500
BATCH = 256


def cosine_alphas(t_max, s=0.008):
    f = torch.cos((torch.arange(t_max + 1) / t_max + s) / (1 + s) * math.pi / 2) ** 2
    betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
    return betas, torch.cumprod(1 - betas, 0)


class Denoiser(nn.Module):
    def __init__(self, dim=3, width=96, freqs=8):
        super().__init__()
        self.register_buffer("w", 2.0 ** torch.arange(freqs) * math.pi / 2)
        self.net = nn.Sequential(
            nn.Linear(dim + 2 * freqs, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, dim),
        )

    def forward(self, x, t):
        a = (t.float() / T)[:, None] * self.w
        return self.net(torch.cat([x, a.sin(), a.cos()], 1))


def noised(x0, t, eps, abar):
    a = abar[t][:, None]
    return a.sqrt() * x0 + (1 - a).sqrt() * eps


@torch.no_grad()
def sample(net, n, betas, abar):
    x = torch.randn(n, 3)
    for t in reversed(range(T)):
        e = net(x, torch.full((n,), t))
        x = (x - betas[t] / (1 - abar[t]).sqrt() * e) / (1 - betas[t]).sqrt()
        if t:
            x = x + betas[t].sqrt() * torch.randn_like(x)
    return x


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def main():
    torch.manual_seed(19)
    raw = torch.from_numpy(np.load("mast.npy"))
    raw = raw[torch.randperm(len(raw))]
    train, held = raw[:5000], raw[5000:]
    mu, sd = train.mean(0), train.std(0)
    train, held = (train - mu) / sd, (held - mu) / sd

    betas, abar = cosine_alphas(T)
    net = Denoiser()
    avg = copy.deepcopy(net).requires_grad_(False)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS, eta_min=1e-4)

    # fixed times and noises, so that the held-out numbers can be compared with each other
    ht = torch.arange(len(held) * 4) % T
    hx = held.repeat(4, 1)
    he = torch.randn(hx.shape)

    run = 0.0
    for step in range(1, STEPS + 1):
        x0 = train[torch.randint(len(train), (BATCH,))]
        t = torch.randint(T, (BATCH,))
        eps = torch.randn_like(x0)
        loss = (net(noised(x0, t, eps, abar), t) - eps).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        with torch.no_grad():
            d = min(0.99, step / (step + 10))
            for p, q in zip(avg.parameters(), net.parameters()):
                p.lerp_(q, 1 - d)
        run += loss.item()
        if step % 250 == 0:
            with torch.no_grad():
                v = (avg(noised(hx, ht, he, abar), ht) - he).pow(2).mean().item()
            print(f"{step:5d}  train {run / 250:.4f}  held out {v:.4f}")
            run = 0.0
    print(f"energy distance of samples {energy_distance(sample(avg, 1000, betas, abar), held):.4f}"
          f" (of training rows {energy_distance(train[:1000], held):.4f})")


if __name__ == "__main__":
    main()
