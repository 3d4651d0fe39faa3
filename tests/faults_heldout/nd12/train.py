"""Non-saturating GAN with R1 on two-dimensional sensor fingerprints."""
import copy
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import softplus

torch.manual_seed(9)
HERE = Path(__file__).parent
LATENT, HIDDEN, BATCH, STEPS = 4, 64, 256, 2400
LR_G, LR_D, R1_GAMMA, EMA = 5e-4, 1e-3, 0.05, 0.995


def mlp(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, HIDDEN), nn.LeakyReLU(0.2), nn.Linear(HIDDEN, HIDDEN), nn.LeakyReLU(0.2),
                         nn.Linear(HIDDEN, HIDDEN), nn.LeakyReLU(0.2), nn.Linear(HIDDEN, n_out))


def set_grad(net, flag):
    for p in net.parameters():
        p.requires_grad_(flag)


def sliced_w(a, b, n_dir=64):
    ang = torch.linspace(0, np.pi, n_dir)
    d = torch.stack([ang.cos(), ang.sin()])
    return ((a @ d).sort(0)[0] - (b @ d).sort(0)[0]).abs().mean().item()


pack = np.load(HERE / "fingerprints.npz")
points = torch.from_numpy(pack["points"])
centres, spread = torch.from_numpy(pack["centres"]), float(pack["spread"])
scale = points.std(0)
offset = points.mean(0)
points = points[torch.randperm(len(points))]
held, train = points[:2000], points[2000:]
train_n = (train - offset) / scale

G, D = mlp(LATENT, 2), mlp(2, 1)
G_avg = copy.deepcopy(G)
set_grad(G_avg, False)
opt_g = torch.optim.Adam(G.parameters(), lr=LR_G, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=LR_D, betas=(0.5, 0.99))


def report(step, ld, lg):
    with torch.no_grad():
        fake = G_avg(torch.randn(2000, LATENT)) * scale + offset
    dist = torch.cdist(fake, centres)
    near, which = dist.min(1)
    ok = near < 4 * spread
    share = torch.bincount(which[ok], minlength=len(centres)).float() / 2000
    print(f"step {step:5d}  D {ld:.3f}  G {lg:.3f}  clusters hit {(share > 0.02).sum().item()}/{len(centres)}  "
          f"on target {ok.float().mean():.3f}  sliced W {sliced_w(fake, held):.4f}", flush=True)


for step in range(1, STEPS + 1):
    real = train_n[torch.randint(len(train_n), (BATCH,))]
    set_grad(D, True)
    with torch.no_grad():
        fake = G(torch.randn(BATCH, LATENT))
    loss_d = softplus(-D(real)).mean() + softplus(D(fake)).mean()
    if step % 2 == 0:
        r = real.requires_grad_(True)
        grad, = torch.autograd.grad(D(r).sum(), r, create_graph=True)
        loss = loss_d + R1_GAMMA * grad.pow(2).sum(1).mean()
    else:
        loss = loss_d
    opt_d.zero_grad()
    loss.backward()
    opt_d.step()

    set_grad(D, False)
    loss_g = softplus(-D(G(torch.randn(BATCH, LATENT)))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    with torch.no_grad():
        for a, b in zip(G_avg.parameters(), G.parameters()):
            a.lerp_(b, 1 - EMA)
    if step % 200 == 0:
        report(step, loss_d.item(), loss_g.item())

print(f"sliced W between two real halves {sliced_w(held, train[:2000]):.4f}")
