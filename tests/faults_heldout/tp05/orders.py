import numpy as np


def load_orders(n, seed):
    """Food delivery orders; minutes from payment to door."""
    r = np.random.default_rng(seed)
    dist = r.gamma(2.2, 1.3, n)
    hour = r.integers(10, 23, n)
    rain = r.random(n) < 0.22
    load = r.poisson(3 + 4 * np.exp(-((hour - 19) / 1.6) ** 2) + 2 * np.exp(-((hour - 12.5) / 1.2) ** 2))
    items = 1 + r.poisson(1.6, n)
    bike = r.random(n) < 0.6
    median = 9 + 1.5 * items + 1.6 * load + dist * np.where(bike, 4.2, 2.9) * np.where(rain & bike, 1.35, 1.0)
    sigma = 0.14 + 0.10 * rain + 0.02 * load
    minutes = median * np.exp(sigma * r.standard_normal(n))
    x = np.stack([dist, np.sin(hour * np.pi / 12), np.cos(hour * np.pi / 12), rain, load, items, bike], 1)
    return x.astype(np.float32), minutes.astype(np.float32)
