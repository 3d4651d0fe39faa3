import numpy as np


def cycles(n, rng, length=60):
    """One revolution of a healthy press: two harmonics whose strength depends on the load."""
    t = np.linspace(0, 2 * np.pi, length, endpoint=False)
    load = rng.uniform(0.5, 1.5, (n, 1))
    lag = rng.uniform(-0.4, 0.4, (n, 1))
    x = load * np.sin(t + lag) + 0.4 * load**2 * np.sin(3 * t + 2 * lag) + 0.2 * np.cos(5 * t)
    return (x + rng.normal(0, 0.12, x.shape)).astype(np.float32)


def worn_cycles(n, rng, length=60):
    x = cycles(n, rng, length)
    at = rng.integers(0, length - 8, n)
    for k in range(n):
        x[k, at[k]:at[k] + 8] += rng.choice([-1, 1]) * rng.uniform(0.4, 1.0) * np.hanning(8)
    return x
