import numpy as np


def transactions(n, seed):
    """Card payments: amount, hour, distance from home, velocity, merchant risk, account age, foreign, chip."""
    g = np.random.default_rng(seed)
    amount = g.lognormal(3.3, 1.0, n)
    hour = g.integers(0, 24, n)
    dist = g.exponential(12, n)
    velocity = g.poisson(1.6, n)
    merchant = g.beta(2, 6, n)
    age = g.gamma(2.5, 20, n)
    foreign = g.random(n) < 0.08
    chip = g.random(n) < 0.8
    night = (hour < 6).astype(float)
    score = (
        -9.2 + 1.1 * np.log1p(amount) + 1.6 * night * (1 - chip) + 0.85 * velocity
        + 3.5 * merchant * (1 + foreign) + 0.06 * np.minimum(dist, 60) - 0.03 * age - 1.0 * chip
    )
    label = g.random(n) < 1 / (1 + np.exp(-2.2 * score))
    x = np.stack([np.log1p(amount), np.sin(hour / 12 * np.pi), np.cos(hour / 12 * np.pi), night, np.log1p(dist),
                  velocity, merchant, np.log1p(age), foreign, chip], axis=1)
    return x.astype(np.float32), label.astype(np.float32)
