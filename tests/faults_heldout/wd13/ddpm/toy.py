import math

import torch


def spiral(n, gen):
    r = torch.rand(n, generator=gen).sqrt()
    phi = 3 * math.pi * r
    x = torch.stack([r * phi.cos(), r * phi.sin()], 1)
    x = x + 0.02 * torch.randn(n, 2, generator=gen)
    return x / 0.5


def load(name, n_train, n_eval, seed):
    assert name == "spiral"
    gen = torch.Generator().manual_seed(seed)
    return spiral(n_train, gen), spiral(n_eval, gen)


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()
