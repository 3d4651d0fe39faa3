"""Two-link arm seen from one camera: tip height h and load w leave the elbow angle two-valued."""
import numpy as np
import torch


def simulate(n, seed):
    rng = np.random.default_rng(seed)
    h = rng.uniform(-1, 1, n)
    w = rng.uniform(0, 1, n)
    bend = 0.25 + 0.55 * np.sqrt(1 - h ** 2 * 0.9) + 0.1 * w
    up = rng.random(n) < 0.3 + 0.4 * w
    sd = 0.015 + 0.045 * w
    y = 0.2 * h + np.where(up, bend, -bend) + sd * rng.standard_normal(n)

    def logpdf(c):
        return -0.5 * ((y - c) / sd) ** 2 - np.log(sd) - 0.5 * np.log(2 * np.pi)

    pu = 0.3 + 0.4 * w
    true = np.logaddexp(np.log(pu) + logpdf(0.2 * h + bend), np.log(1 - pu) + logpdf(0.2 * h - bend))
    x = torch.tensor(np.stack([h, 2 * w - 1], 1), dtype=torch.float32)
    return x, torch.tensor(y, dtype=torch.float32), float(-true.mean())
