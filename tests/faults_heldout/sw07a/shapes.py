import math

import torch

NAMES = ["sphere", "cube", "cylinder", "cone", "torus"]


def _surface(kind, n, g):
    u, v = torch.rand(n, generator=g), torch.rand(n, generator=g)
    a = 2 * math.pi * u
    if kind == 0:
        z = 2 * v - 1
        r = (1 - z * z).sqrt()
        return torch.stack([r * a.cos(), r * a.sin(), z], 1)
    if kind == 1:
        p = torch.rand(n, 3, generator=g) * 2 - 1
        axis = torch.randint(0, 3, (n,), generator=g)
        p[torch.arange(n), axis] = torch.where(u > 0.5, 1.0, -1.0)
        return p * 0.8
    if kind == 2:
        return torch.stack([a.cos() * 0.8, a.sin() * 0.8, 2 * v - 1], 1)
    if kind == 3:
        r = v.sqrt()
        return torch.stack([r * a.cos(), r * a.sin(), 1 - 2 * r], 1)
    b = 2 * math.pi * v
    r = 0.7 + 0.3 * b.cos()
    return torch.stack([r * a.cos(), r * a.sin(), 0.3 * b.sin()], 1)


def make_clouds(n, points, noise, seed):
    """Clouds of random orientation and size; returns clouds (n, points, 3) and labels."""
    g = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, len(NAMES), (n,), generator=g)
    clouds = []
    for k in labels.tolist():
        p = _surface(k, points, g)
        q, _ = torch.linalg.qr(torch.randn(3, 3, generator=g))
        scale = 0.7 + 0.6 * torch.rand(1, generator=g)
        clouds.append((p @ q.T) * scale + noise * torch.randn(points, 3, generator=g))
    return torch.stack(clouds), labels
