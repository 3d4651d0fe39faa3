import numpy as np
import torch

SPECIES = ["wren", "tit", "finch", "crake", "pipit"]


def clips(n, seed):
    rng = np.random.default_rng(seed)
    t = np.arange(20)[None, :, None]
    f = np.arange(16)[None, None, :]
    y = rng.integers(0, len(SPECIES), n)
    slope = np.array([-0.35, -0.15, 0.0, 0.15, 0.35])[y]
    centre = 8 + rng.normal(0, 0.6, n)
    line = centre[:, None, None] + slope[:, None, None] * (t - 10)
    call = 1.1 * np.exp(-0.5 * ((f - line) / 1.0) ** 2)
    wind = rng.normal(0, 2.0, (n, 1, 1)) * np.exp(-f / 5.0)
    gust = rng.normal(0, 1.5, (n, 1, 1)) * np.sin(2 * np.pi * (t / 20 + rng.random((n, 1, 1))))
    insects = rng.normal(0, 1.5, (n, 1, 1)) * np.exp(-0.5 * ((f - 12) / 1.5) ** 2)
    rain = rng.normal(0, 1.5, (n, 1, 1)) * (t / 20 - 0.5)
    x = call + wind + gust + insects + rain + rng.normal(0, 0.25, (n, 20, 16))
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)
