import math
import time

import numpy as np
import torch
import torch.nn as nn

SEED = 8
ITERS = 1300
BATCH = 256
LANGEVIN_STEPS = 20
STEP = 0.01
BUFFER = 4096
ALPHA = 0.01

torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)


def pinwheel(n, arms=5):
    arm = rng.integers(arms, size=n)
    r = 1.0 + 0.35 * rng.normal(size=n)
    t = 0.13 * rng.normal(size=n)
    ang = 2 * math.pi * arm / arms + 0.55 * r
    pts = np.stack([r * np.cos(ang) - t * np.sin(ang), r * np.sin(ang) + t * np.cos(ang)], 1)
    return torch.tensor(pts * 1.3, dtype=torch.float32)


class Energy(nn.Module):
    def __init__(self, h=96):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1) + 0.05 * x.square().sum(-1)


def langevin(energy, x, steps, step=STEP):
    for p in energy.parameters():
        p.requires_grad_(False)
    x = x.clone().requires_grad_(True)
    for _ in range(steps):
        (g,) = torch.autograd.grad(energy(x).sum(), x)
        with torch.no_grad():
            x -= step * g.clamp(-20, 20)
            x += math.sqrt(2 * step) * torch.randn_like(x)
            x.clamp_(-4, 4)
    for p in energy.parameters():
        p.requires_grad_(True)
    return x.detach()


def sliced_wasserstein(a, b, k=64):
    d = torch.randn(2, k)
    d /= d.norm(dim=0)
    return (torch.sort(a @ d, 0)[0] - torch.sort(b @ d, 0)[0]).abs().mean().item()


def auc(pos, neg):
    # probability that a data point has lower energy than a background point
    return (pos[:, None] < neg[None, :]).float().mean().item()


data, held = pinwheel(6000), pinwheel(1500)
background = torch.rand(1500, 2) * 6 - 3
energy = Energy()
opt = torch.optim.Adam(energy.parameters(), lr=4e-3, betas=(0.5, 0.99))
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, ITERS, eta_min=1e-4)
buffer = torch.rand(BUFFER, 2) * 6 - 3

t0 = time.time()
for it in range(1, ITERS + 1):
    pos = data[torch.randint(len(data), (BATCH,))]
    pos = pos + 0.02 * torch.randn_like(pos)
    slot = torch.randperm(BUFFER)[:BATCH]
    start = buffer[slot]
    fresh = torch.rand(BATCH) < 0.05
    start[fresh] = torch.rand(int(fresh.sum()), 2) * 6 - 3
    neg = langevin(energy, start, LANGEVIN_STEPS)
    buffer[slot] = neg

    e_pos, e_neg = energy(pos), energy(neg)
    contrast = e_pos.mean() - e_neg.mean()
    reg = ALPHA * (e_pos.square().mean() + e_neg.square().mean())
    loss = contrast + 0.1 * reg
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if it % 130 == 0:
        with torch.no_grad():
            a = auc(energy(held), energy(background))
        print(f"iter {it:4d}  loss {loss.item():+.4f}  E(data) {e_pos.mean():+.3f}  E(model) {e_neg.mean():+.3f}  "
              f"auc vs background {a:.3f}  {time.time() - t0:.1f}s")

samples = langevin(energy, torch.rand(1500, 2) * 6 - 3, 400)
gauss = held.mean(0) + torch.randn(1500, 2) @ torch.linalg.cholesky(torch.cov(held.T)).T
print(f"sliced W1 to held-out data: model {sliced_wasserstein(samples, held):.3f}   "
      f"gaussian fit {sliced_wasserstein(gauss, held):.3f}   "
      f"fresh data {sliced_wasserstein(pinwheel(1500), held):.3f}")

# nearest-neighbour distance tells whether samples sit on the arms
nn_model = torch.cdist(samples, data).min(1)[0].mean().item()
nn_gauss = torch.cdist(gauss, data).min(1)[0].mean().item()
nn_true = torch.cdist(held, data).min(1)[0].mean().item()
print(f"mean distance to the nearest data point: model {nn_model:.3f}  gaussian {nn_gauss:.3f}  held-out {nn_true:.3f}")
