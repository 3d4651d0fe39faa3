"""GAN on a ring of eight Gaussians; samples are drawn from an averaged copy of the generator."""
import copy
import math

import torch
import torch.nn.functional as F
from torch import nn

STEPS = 2000
BATCH = 256
Z = 16
MODES = 8
RADIUS, SIGMA = 2.0, 0.15


def real_batch(n, gen=None):
    k = torch.randint(MODES, (n,), generator=gen)
    ang = 2 * math.pi * k / MODES
    centre = RADIUS * torch.stack([ang.cos(), ang.sin()], 1)
    return centre + SIGMA * torch.randn(n, 2, generator=gen)


def mlp(i, o, h=96):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2),
                         nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def r1_penalty(d, x):
    x = x.detach().requires_grad_(True)
    (g,) = torch.autograd.grad(d(x).sum(), x, create_graph=True)
    return g.pow(2).sum(1).mean()


@torch.no_grad()
def quality(gen, n=4000):
    x = gen(torch.randn(n, Z))
    ang = 2 * math.pi * torch.arange(MODES) / MODES
    centres = RADIUS * torch.stack([ang.cos(), ang.sin()], 1)
    dist, which = torch.cdist(x, centres).min(1)
    good = dist < 4 * SIGMA
    share = torch.bincount(which[good], minlength=MODES).float() / n
    return good.float().mean().item(), int((share > 0.03).sum())


def main():
    torch.manual_seed(1)
    g, d = mlp(Z, 2), mlp(2, 1)
    g_ema = copy.deepcopy(g).requires_grad_(False)
    opt_g = torch.optim.Adam(g.parameters(), lr=1e-3, betas=(0.0, 0.99))
    opt_d = torch.optim.Adam(d.parameters(), lr=1e-3, betas=(0.0, 0.99))
    decay = lambda step: 1.0 if step < STEPS // 2 else 2 * (1 - step / STEPS) + 0.02
    scheds = [torch.optim.lr_scheduler.LambdaLR(o, decay) for o in (opt_g, opt_d)]

    for step in range(1, STEPS + 1):
        x = real_batch(BATCH)
        with torch.no_grad():
            fake = g(torch.randn(BATCH, Z))
        loss_d = F.softplus(-d(x)).mean() + F.softplus(d(fake)).mean()
        if step % 4 == 0:
            loss_d = loss_d + 0.04 * r1_penalty(d, x)
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()

        for p in d.parameters():
            p.requires_grad_(False)
        loss_g = F.softplus(-d(g(torch.randn(BATCH, Z)))).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        for p in d.parameters():
            p.requires_grad_(True)
        for s in scheds:
            s.step()

        with torch.no_grad():
            for a, b in zip(g_ema.parameters(), g.parameters()):
                a.lerp_(b, 0.01)

        if step % 200 == 0:
            hq, modes = quality(g_ema)
            print(f"step {step:5d}  D {loss_d.item():.3f}  G {loss_g.item():.3f}  near a mode {hq:.3f}  modes {modes}/{MODES}")


if __name__ == "__main__":
    main()
