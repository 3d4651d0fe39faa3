import numpy as np
import torch


def measure(n, rng, bands=80):
    """NIR spectra of grain: two water bands, one protein band, baseline drift and path length."""
    wave = np.linspace(0, 1, bands)
    water = rng.uniform(8, 22, n)
    protein = rng.uniform(7, 16, n)
    path = rng.uniform(0.85, 1.15, (n, 1))

    def band(c, w):
        return np.exp(-0.5 * ((wave - c) / w) ** 2)[None]

    absorb = (0.045 * water[:, None] * band(0.35, 0.06) + 0.06 * water[:, None] * band(0.8, 0.08)
              + 0.05 * protein[:, None] * band(0.55, 0.05) + 0.6 * band(0.15, 0.1))
    drift = rng.uniform(-0.3, 0.3, (n, 1)) + rng.uniform(-0.3, 0.3, (n, 1)) * wave
    spectra = path * absorb + drift + rng.normal(0, 0.01, (n, bands))
    return torch.tensor(spectra, dtype=torch.float32), torch.tensor(water, dtype=torch.float32)
