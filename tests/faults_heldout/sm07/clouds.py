"""Small synthetic scans: 96 points on one of eight kinds of part, randomly turned about z, scaled and jittered."""
import math

import torch

KINDS = ["sphere", "cube", "cylinder", "cone", "torus", "plate", "capsule", "helix"]


def surface(kind, n, g):
    u, v, w = torch.rand(3, n, generator=g)
    a = 2 * math.pi * u
    if kind == "sphere":
        z = 2 * v - 1
        r = (1 - z * z).sqrt()
        return torch.stack([r * a.cos(), r * a.sin(), z], 1)
    if kind == "cube":
        p = torch.stack([u, v, w], 1) * 2 - 1
        axis = torch.randint(0, 3, (n,), generator=g)
        side = torch.randint(0, 2, (n,), generator=g).float() * 2 - 1
        p[torch.arange(n), axis] = side
        return p * 0.75
    if kind == "cylinder":
        return torch.stack([0.6 * a.cos(), 0.6 * a.sin(), 2 * v - 1], 1)
    if kind == "cone":
        h = v.sqrt()
        return torch.stack([0.8 * h * a.cos(), 0.8 * h * a.sin(), 1 - 2 * h], 1)
    if kind == "torus":
        b = 2 * math.pi * v
        return torch.stack([(0.75 + 0.25 * b.cos()) * a.cos(), (0.75 + 0.25 * b.cos()) * a.sin(), 0.25 * b.sin()], 1)
    if kind == "plate":
        return torch.stack([2 * u - 1, 1.4 * v - 0.7, 0.1 * (2 * w - 1)], 1)
    if kind == "capsule":
        z = 2 * v - 1
        r = 0.5 * (1 - (z.abs() - 0.5).clamp_min(0).div(0.5).pow(2)).clamp_min(0).sqrt()
        return torch.stack([r * a.cos(), r * a.sin(), z], 1)
    t = 4 * math.pi * u
    return torch.stack([0.7 * t.cos(), 0.7 * t.sin(), u * 2 - 1], 1) + 0.1 * (torch.stack([v, w, v], 1) - 0.5)


def make(n_per_kind, seed, n_points=96, jitter=0.09):
    g = torch.Generator().manual_seed(seed)
    xs, ys = [], []
    for label, kind in enumerate(KINDS):
        for _ in range(n_per_kind):
            p = surface(kind, n_points, g)
            t = 2 * math.pi * torch.rand(1, generator=g).item()
            rot = torch.tensor([[math.cos(t), -math.sin(t), 0], [math.sin(t), math.cos(t), 0], [0, 0, 1.0]])
            s = 0.7 + 0.6 * torch.rand(3, generator=g)
            xs.append((p @ rot.t()) * s + jitter * torch.randn(n_points, 3, generator=g))
            ys.append(label)
    return torch.stack(xs), torch.tensor(ys)
