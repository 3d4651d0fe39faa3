"""GAN on a two-dimensional mixture; checks coverage of the modes at the end."""
import math

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(2)
Z, STEPS, BATCH = 8, 3000, 256
MODES = torch.tensor([[math.cos(2 * math.pi * k / 6), math.sin(2 * math.pi * k / 6)] for k in range(6)])
STD = 0.12


def real_batch(n):
    k = torch.randint(0, len(MODES), (n,))
    return MODES[k] + STD * torch.randn(n, 2)


def mlp(i, o, h=64, act=nn.ReLU):
    return nn.Sequential(nn.Linear(i, h), act(), nn.Linear(h, h), act(), nn.Linear(h, o))


G = mlp(Z, 2)
D = mlp(2, 1, act=lambda: nn.LeakyReLU(0.2))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def coverage(x):
    dist, nearest = torch.cdist(x, MODES).min(1)
    good = dist < 3 * STD
    share = torch.bincount(nearest[good], minlength=len(MODES)).float() / len(x)
    return good.float().mean().item(), (share > 0.05).sum().item()


for step in range(1, STEPS + 1):
    real = real_batch(BATCH).requires_grad_(True)
    fake = G(torch.randn(BATCH, Z)).detach()
    out_real, out_fake = D(real), D(fake)
    (grad,) = torch.autograd.grad(out_real.sum(), real, create_graph=True)
    penalty = grad.pow(2).sum(1).mean()
    d_loss = F.softplus(-out_real).mean() + F.softplus(out_fake).mean() + 0.05 * penalty
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    g_loss = F.softplus(-D(G(torch.randn(BATCH, Z)))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    if step % 300 == 0:
        with torch.no_grad():
            sample = G(torch.randn(2000, Z))
            ed = energy_distance(sample, real_batch(2000))
            frac, modes = coverage(sample)
        print(f"step {step:5d}  d {d_loss.item():.3f}  g {g_loss.item():.3f}  energy dist {ed:.4f}  on-mode {frac:.2f}  modes {modes}/6")
