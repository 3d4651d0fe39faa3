import argparse
import copy
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

from nets import Critic, generator

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=1980)
parser.add_argument("--batch", type=int, default=256)
parser.add_argument("--lr-g", type=float, default=1e-3)
parser.add_argument("--lr-d", type=float, default=2e-3)
parser.add_argument("--ema", type=float, default=0.99)
parser.add_argument("--log-every", type=int, default=220)
a = parser.parse_args()

torch.manual_seed(42)
xy = np.loadtxt(pathlib.Path(__file__).parent / "pickups.csv", delimiter=",", skiprows=1)
xy = xy[np.random.default_rng(42).permutation(len(xy))]
fit, held = xy[:4500], xy[4500:]
center, spread = fit.mean(0), fit.std(0)
fit = torch.tensor((fit - center) / spread, dtype=torch.float32)
held = torch.tensor((held - center) / spread, dtype=torch.float32)

G, D = generator(), Critic()
G_avg = copy.deepcopy(G).requires_grad_(False)
opt_g = torch.optim.Adam(G.parameters(), lr=a.lr_g, betas=(0.0, 0.9))
opt_d = torch.optim.Adam([p for p in D.parameters() if p.requires_grad], lr=a.lr_d, betas=(0.0, 0.9))

angles = torch.linspace(0, np.pi, 33)[:-1]
directions = torch.stack([angles.cos(), angles.sin()])


def sliced_w1(x, y):
    return ((x @ directions).sort(0).values - (y @ directions).sort(0).values).abs().mean().item()


def sample(net, n):
    with torch.no_grad():
        return net(torch.randn(n, 8))


cov = torch.from_numpy(np.cov(fit.numpy().T)).float()
gauss = torch.randn(len(held), 2) @ torch.linalg.cholesky(cov).T
print(f"sliced W1 to held-out points: gaussian fit {sliced_w1(gauss, held):.4f}, other real points {sliced_w1(fit[:len(held)], held):.4f}")

ld_sum = lg_sum = 0.0
for step in range(1, a.steps + 1):
    real = fit[torch.randint(len(fit), (a.batch,))]
    fake = sample(G, a.batch)
    loss_d = F.relu(1 - D(real)).mean() + F.relu(1 + D(fake)).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()

    loss_g = -D(G(torch.randn(a.batch, 8))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    with torch.no_grad():
        for p, q in zip(G_avg.parameters(), G.parameters()):
            p.lerp_(q, 1 - a.ema)
    ld_sum, lg_sum = ld_sum + loss_d.item(), lg_sum + loss_g.item()
    if step % a.log_every == 0:
        w = np.mean([sliced_w1(sample(G_avg, len(held)), held) for _ in range(4)])
        print(f"step {step:5d}  D {ld_sum / a.log_every:.3f}  G {lg_sum / a.log_every:+.3f}  sliced W1 {w:.4f}")
        ld_sum = lg_sum = 0.0
