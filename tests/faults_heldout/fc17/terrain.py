import numpy as np
import torch


def orbit_samples(n, noise, seed):
    """Three regimes of a driven pendulum described by angle, velocity, energy ratio and two drive terms."""
    rng = np.random.default_rng(seed)
    theta = rng.uniform(-np.pi, np.pi, n)
    omega = rng.normal(0, 1.4, n)
    drive = rng.uniform(-1, 1, (n, 2))
    energy = 0.5 * omega ** 2 + 1 - np.cos(theta) + 0.5 * drive[:, 0] * np.sin(theta)
    label = np.digitize(energy, np.quantile(energy, [1 / 3, 2 / 3]))
    x = np.column_stack([theta / 1.8, omega / 1.4, drive, rng.normal(size=n)])
    x += noise * rng.normal(size=x.shape)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(label)
