import numpy as np
import torch

PLASTICS = ("PET", "PE", "PP", "PS", "PVC")


def make(samples, bands, seed):
    """Near-infrared reflectance of flakes on a belt: five plastics, soot, thickness, tilt."""
    lib = np.random.default_rng(1905)
    wave = np.linspace(0, 1, bands)
    base = []
    for _ in PLASTICS:
        centre = lib.uniform(0.05, 0.95, 5)
        width = lib.uniform(0.02, 0.06, 5)
        depth = lib.uniform(0.1, 0.5, 5)
        base.append((depth[:, None] * np.exp(-((wave - centre[:, None]) / width[:, None]) ** 2)).sum(0))
    base = np.stack(base)
    g = np.random.default_rng(seed)
    kind = g.integers(0, len(PLASTICS), samples)
    other = g.integers(0, len(PLASTICS), samples)
    share = g.uniform(0, 0.35, samples)[:, None]
    mix = (1 - share) * base[kind] + share * base[other]
    thick = g.uniform(0.3, 1.0, (samples, 1))
    tilt = g.normal(0, 0.2, (samples, 1)) * (wave - 0.5)
    x = 1 - thick * mix + tilt + g.normal(0, 0.08, (samples, bands))
    return torch.tensor(x, dtype=torch.float32), torch.tensor(kind)
