"""Synthetic session generator (minutes, euros) for the demo environment."""
import copy

import numpy as np
import torch
from torch import nn

Z, H, STEPS, B = 4, 112, 900, 96


def generator():
    return nn.Sequential(nn.Linear(Z, H), nn.LeakyReLU(0.1), nn.Linear(H, H), nn.LeakyReLU(0.1), nn.Linear(H, 2))


def critic():
    return nn.Sequential(nn.Linear(2, H), nn.LeakyReLU(0.1), nn.Linear(H, H), nn.LeakyReLU(0.1), nn.Linear(H, 1))


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def slope_penalty(d, real, fake):
    mix = torch.rand(len(real), 1)
    p = (mix * real + (1 - mix) * fake).requires_grad_(True)
    g, = torch.autograd.grad(d(p).sum(), p, create_graph=True)
    return (g.norm(dim=1) - 1).pow(2).mean()


def main():
    torch.manual_seed(23)
    raw = np.log(np.loadtxt("sessions.csv", delimiter=",", skiprows=1))
    raw = raw[np.random.default_rng(23).permutation(len(raw))]
    mu, sd = raw[:3200].mean(0), raw[:3200].std(0)
    x = torch.tensor((raw - mu) / sd, dtype=torch.float32)
    real, test = x[:3200], x[3200:]
    G, D = generator(), critic()
    avg = copy.deepcopy(G).requires_grad_(False)
    og = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
    od = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.0, 0.9))
    plans = [torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.05, STEPS) for o in (og, od)]
    for step in range(1, STEPS + 1):
        for _ in range(2):
            r = real[torch.randint(0, len(real), (B,))]
            f = G(torch.randn(B, Z)).detach()
            ld = D(f).mean() - D(r).mean() + 1.0 * slope_penalty(D, r, f)
            od.zero_grad()
            ld.backward()
            od.step()
        lg = -D(G(torch.randn(B, Z))).mean()
        og.zero_grad()
        lg.backward()
        og.step()
        for p in plans:
            p.step()
        with torch.no_grad():
            k = min(0.99, (1 + step) / (10 + step))
            for a, p in zip(avg.parameters(), G.parameters()):
                a.lerp_(p, 1 - k)
        if step % 100 == 0:
            with torch.no_grad():
                ed = energy_distance(avg(torch.randn(800, Z)), test)
            print(f"step {step} critic {ld.item():+.3f} gen {lg.item():+.3f} energy distance {ed:.4f} "
                  f"(real vs real {energy_distance(real[:800], test):.4f})")


if __name__ == "__main__":
    main()
