import math

import torch

L1, L2 = 0.6, 0.4


def draw(n, gen):
    """poses of a planar two-joint arm and the noisy camera reading of its tip"""
    q1 = (torch.rand(n, generator=gen) - 0.5) * math.pi
    q2 = (torch.rand(n, generator=gen) * 0.75 + 0.15) * math.pi
    q2 = q2 * torch.where(torch.rand(n, generator=gen) < 0.5, -1.0, 1.0)
    tip = forward(torch.stack([q1, q2], 1))
    return tip + 0.01 * torch.randn(n, 2, generator=gen), torch.stack([q1, q2], 1)


def forward(q):
    a, b = q[..., 0], q[..., 0] + q[..., 1]
    return torch.stack([L1 * a.cos() + L2 * b.cos(), L1 * a.sin() + L2 * b.sin()], -1)
