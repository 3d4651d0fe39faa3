"""Drive cycles of an LFP cell, logged every 30 s: current [A], voltage [V], temperature [degC] -> state of charge."""
import numpy as np

STEPS = 160
CAPACITY_AH = 2.3


def simulate(n, seed):
    rng = np.random.default_rng(seed)
    signals = np.zeros((n, STEPS, 3), np.float32)
    soc_out = np.zeros((n, STEPS), np.float32)
    for k in range(n):
        ambient = rng.uniform(5, 35)
        capacity = CAPACITY_AH * (0.85 + 0.005 * ambient)
        soc, temp, load = 1.0, ambient, 0.0
        base = rng.uniform(0.4, 2.6)
        for t in range(STEPS):
            load = 0.85 * load + rng.normal(0, 0.6)
            current = max(base + load, -1.0) if soc > 0.05 else 0.0
            if rng.random() < 0.12:
                current = 0.0
            soc = min(soc - current * 30 / 3600 / capacity, 1.0)
            temp += 0.02 * current ** 2 * 0.5 - 0.03 * (temp - ambient)
            ocv = 3.28 + 0.03 * (soc - 0.5) + 0.10 * np.exp(-soc / 0.03) * -1
            volt = ocv - 0.03 * current * (1.6 - 0.02 * ambient) + rng.normal(0, 0.012)
            signals[k, t] = current, volt, temp + rng.normal(0, 0.2)
            soc_out[k, t] = soc
    return signals, soc_out
