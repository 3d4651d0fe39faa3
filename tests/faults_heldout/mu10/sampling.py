import math

import torch


def ring(n, modes=6, radius=1.5, std=0.12):
    """Mixture of Gaussians on a ring, the usual toy for GAN experiments."""
    k = torch.randint(0, modes, (n,))
    angle = 2 * math.pi * k / modes
    centre = radius * torch.stack([angle.cos(), angle.sin()], 1)
    return centre + std * torch.randn(n, 2)


def sliced_wasserstein(a, b, n_proj=64):
    theta = torch.rand(n_proj) * math.pi
    dirs = torch.stack([theta.cos(), theta.sin()])
    pa = (a @ dirs).sort(0).values
    pb = (b @ dirs).sort(0).values
    return (pa - pb).abs().mean().item()
