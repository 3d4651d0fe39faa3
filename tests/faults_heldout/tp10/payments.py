import numpy as np


def payments(n, seed):
    """Card payments; about one in thirty is disputed later."""
    r = np.random.default_rng(seed)
    amount = r.lognormal(3.6, 1.0, n)
    hour = r.uniform(0, 24, n)
    age = r.exponential(400, n)
    tries = r.poisson(0.4, n)
    km = r.lognormal(2.0, 1.6, n)
    foreign = (r.random(n) < 0.08).astype(float)
    z = -5.3 + 0.75 * (np.log(amount) - 3.6) + 1.1 * np.minimum(tries, 4) + 0.35 * (np.log(km) - 2)
    z += 1.8 * foreign * (np.log(km) > 3) + 1.4 * (age < 40) + 1.3 * np.exp(-((hour - 3) / 2.2) ** 2)
    z += 1.2 * (np.log(amount) > 4.6) * (tries > 0)
    y = (r.random(n) < 1 / (1 + np.exp(-z))).astype(np.float32)
    x = np.stack([np.log(amount), np.sin(hour / 24 * 6.2832), np.cos(hour / 24 * 6.2832), np.log1p(age),
                  tries, np.log(km), foreign], 1)
    return x.astype(np.float32), y
