"""Generator for the resting positions of a six-stop carousel."""
import copy
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

SEED, BATCH, STEPS, NOISE = 6, 256, 4000, 4

torch.manual_seed(SEED)
data = torch.from_numpy(np.load("positions.npy"))
data = data[torch.randperm(len(data))]
train, held = data[:5000], data[5000:]
mean, std = train.mean(0), train.std(0)
train, held = (train - mean) / std, (held - mean) / std


def net(d_in, d_out, width=96):
    return nn.Sequential(
        nn.Linear(d_in, width), nn.LeakyReLU(0.2),
        nn.Linear(width, width), nn.LeakyReLU(0.2),
        nn.Linear(width, d_out),
    )


G, D = net(NOISE, 2), net(2, 1)
G_avg = copy.deepcopy(G)
opt_g = torch.optim.Adam(G.parameters(), lr=5e-4, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))


def spacing(a, b):
    return torch.cdist(a, b, compute_mode="donot_use_mm_for_euclid_dist").mean()


def energy_distance(a, b):
    return (2 * spacing(a, b) - spacing(a, a) - spacing(b, b)).item()


@torch.no_grad()
def report(step, d_loss, g_loss):
    fake = G_avg(torch.randn(1000, NOISE))
    print(f"step {step:5d} D {d_loss:.3f} G {g_loss:.3f} energy distance to held-out {energy_distance(fake, held):.4f}")


ones, zeros = torch.ones(BATCH, 1), torch.zeros(BATCH, 1)
for step in range(1, STEPS + 1):
    real = train[torch.randint(len(train), (BATCH,))].requires_grad_(True)
    fake = G(torch.randn(BATCH, NOISE))

    # critic: real against generated, with a gradient penalty at the real points
    out = D(real)
    slope, = torch.autograd.grad(out.sum(), real, create_graph=True)
    d_loss = F.binary_cross_entropy_with_logits(out, ones) + F.binary_cross_entropy_with_logits(D(fake.detach()), zeros)
    opt_d.zero_grad()
    (d_loss + 0.05 * slope.pow(2).sum(1).mean()).backward()
    opt_d.step()

    g_loss = F.binary_cross_entropy_with_logits(D(fake), ones)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    with torch.no_grad():
        for p, q in zip(G_avg.parameters(), G.parameters()):
            p.lerp_(q, 0.005)
    if step % 400 == 0:
        report(step, d_loss.item(), g_loss.item())

with torch.no_grad():
    fake = G_avg(torch.randn(3000, NOISE))
    angle = torch.atan2(*((fake * std + mean) - torch.tensor([3.0, -2.0])).flip(1).unbind(1))
    stops = torch.bincount((angle / (torch.pi / 3)).round().long() % 6, minlength=6) / len(fake)
    print("share per stop", " ".join(f"{s:.2f}" for s in stops))
    print(f"energy distance: samples {energy_distance(fake, held):.4f}, training data {energy_distance(train[:3000], held):.4f}, "
          f"one gaussian {energy_distance(torch.randn(3000, 2), held):.4f}")
