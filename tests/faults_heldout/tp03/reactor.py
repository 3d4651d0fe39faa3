import numpy as np

TARGETS = ["conversion_pct", "melt_index", "yellowness", "fines_ppm"]


def simulate(n, seed):
    """Batches of a small polymerisation reactor. Fines are mostly decided by the
    pelletiser downstream, for which there is no sensor; yellowness is read by eye."""
    r = np.random.default_rng(seed)
    temp = r.normal(82, 6, n)
    press = r.normal(21, 2.5, n)
    cat = r.uniform(0.4, 1.6, n)
    h2 = r.gamma(3, 0.12, n)
    time = r.uniform(1.5, 5, n)
    purity = r.beta(20, 1.2, n)
    stir = r.uniform(150, 420, n)
    k = cat * purity * np.exp((temp - 82) / 14) * (press / 21) ** 0.7
    conv = 100 * (1 - np.exp(-0.35 * k * time)) + r.normal(0, 1.5, n)
    melt = 2.0 * np.exp(1.4 * np.sqrt(h2) + (temp - 82) / 25 - 0.2 * k) * np.exp(r.normal(0, 0.22, n))
    yellow = 4 + 0.02 * np.maximum(temp - 84, 0) ** 2 + 3.0 * (1 - purity) * time + r.normal(0, 1.0, n)
    fines = 180 + 25 * np.tanh((stir - 300) / 60) + 60 * r.standard_normal(n)
    x = np.stack([temp, press, cat, h2, time, purity, stir], 1)
    return x.astype(np.float32), np.stack([conv, np.log(melt), yellow, fines], 1).astype(np.float32)
