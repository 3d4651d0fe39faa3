"""A tiny GAN that learns to draw points on a ring of eight clusters."""
import math

import torch
from torch import nn, optim


def real_points(n):
    k = torch.randint(8, (n,)).float() * (2 * math.pi / 8)
    return torch.stack([k.cos(), k.sin()], dim=1) + 0.05 * torch.randn(n, 2)


def mlp(d_in, d_out, width=64):
    return nn.Sequential(
        nn.Linear(d_in, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, d_out)
    )


@torch.no_grad()
def ring_distance(generator, n=512):
    """Mean distance of generated points from the unit ring, and how far they spread around it."""
    points = generator(torch.randn(n, 8))
    angles = torch.atan2(points[:, 1], points[:, 0])
    covered = len({int(a) for a in ((angles / (2 * math.pi) * 8).round() % 8)})
    return (points.norm(dim=1) - 1).abs().mean().item(), covered


torch.manual_seed(2)
G, D = mlp(8, 2), mlp(2, 1)
opt_g = optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
opt_d = optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
batch = 64
ones, zeros = torch.ones(batch, 1), torch.zeros(batch, 1)

for step in range(1, 1201):
    fake = G(torch.randn(batch, 8))
    d_loss = bce(D(real_points(batch)), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    g_loss = bce(D(fake), ones)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    if step % 150 == 0:
        distance, covered = ring_distance(G)
        print(f"{step:5d}  D {d_loss.item():.3f}  G {g_loss.item():.3f}  off ring {distance:.3f}  clusters {covered}/8")
