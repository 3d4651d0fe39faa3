"""Unlabelled vibration snippets (labels are only kept for the probe)."""
import numpy as np
import torch

LENGTH = 96


def snippets(n, seed):
    rng = np.random.default_rng(seed)
    t = np.arange(LENGTH + 32) / 32.0
    x = np.zeros((n, 1, LENGTH + 32), dtype=np.float32)
    kind = rng.integers(0, 6, n)
    for i, k in enumerate(kind):
        f = rng.uniform(2.0, 2.8)
        p = rng.uniform(0, 2 * np.pi)
        a = 2 * np.pi * f * t + p
        if k == 0:
            w = np.sin(a)
        elif k == 1:
            w = np.sign(np.sin(a))
        elif k == 2:
            w = 2 * ((f * t + p) % 1.0) - 1
        elif k == 3:
            w = np.sin(a) * np.sin(2 * np.pi * 0.5 * t + rng.uniform(0, 6.28))
        elif k == 4:
            w = np.sin(a) + 0.8 * np.sin(2.5 * a + rng.uniform(0, 6.28))
        else:
            w = np.exp(-4 * ((f * 0.5 * t + p) % 1.0)) * np.sin(4 * a)
        x[i, 0] = w / (np.std(w) + 1e-6) + rng.normal(0, 0.15, len(t))
    return torch.from_numpy(x), torch.from_numpy(kind)


def centre(x):
    return x[..., 16:16 + LENGTH]


def two_views(x, gen):
    return _view(x, gen), _view(x, gen)


def _view(x, gen):
    b = x.size(0)
    start = torch.randint(0, 33, (b,), generator=gen)
    idx = start[:, None] + torch.arange(LENGTH)
    v = x[:, 0].gather(1, idx)
    v = v * (0.6 + 0.8 * torch.rand(b, 1, generator=gen))
    v = v + 0.1 * torch.randn(v.shape, generator=gen)
    hole = torch.randint(0, LENGTH - 12, (b, 1), generator=gen)
    pos = torch.arange(LENGTH)
    v = v.masked_fill((pos >= hole) & (pos < hole + 12), 0.0)
    return v.unsqueeze(1)
