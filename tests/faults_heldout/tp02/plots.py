"""Field plots: soil, weather and nitrogen against grain yield (t/ha).

A single plot is harvested by hand, so that two neighbours with equal treatment easily
differ by a tonne: lodging, mice, hail, the scale. This is in every harvest, ours and the
one used for the check.
"""
import numpy as np

COLUMNS = ["nitrogen", "rain", "clay", "ph", "sowing_day", "temp_sum"]


def harvest(n, seed):
    r = np.random.default_rng(seed)
    nitro = r.uniform(0, 240, n)
    rain = r.normal(320, 70, n)
    clay = r.uniform(5, 45, n)
    ph = r.normal(6.6, 0.6, n)
    sow = r.integers(0, 45, n)
    temp = r.normal(1500, 120, n)
    y = 4.2 + 1.9 * (1 - np.exp(-nitro / 70)) - 0.00004 * np.maximum(nitro - 150, 0) ** 2
    y += 0.9 * np.exp(-((rain - 350) / 75) ** 2) + 0.6 * np.exp(-((clay - 24) / 11) ** 2)
    y -= 0.35 * (ph - 6.7) ** 2 + 0.012 * sow
    y += 0.5 * np.tanh((temp - 1500) / 100) * (rain > 300)
    noise = 0.75 * r.standard_t(4, n)
    x = np.stack([nitro, rain, clay, ph, sow, temp], 1)
    return x.astype(np.float32), (y + noise).astype(np.float32)
