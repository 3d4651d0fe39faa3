import numpy as np


def draw(n, rng):
    """Gearbox windows: eight vibration indicators, rare pitting damage."""
    damaged = rng.random(n) < 0.006
    load = rng.normal(size=n)
    x = rng.normal(size=(n, 8))
    x[:, 0] += 0.8 * load
    x[:, 1] += 0.6 * load
    severity = rng.gamma(4.0, 0.5, size=n) * damaged
    x[:, 2] += 1.3 * severity
    x[:, 3] += 1.0 * severity
    x[:, 4] -= 0.7 * severity
    x[:, 5] += 0.5 * severity * (load > 0)
    x[:, 7] = load + 0.3 * x[:, 7]
    return x.astype(np.float32), damaged.astype(np.float32)
