import numpy as np
import torch


def hourly_load(days, seed):
    """Electric load of a small town: daily and weekly cycles, weather, autocorrelated noise."""
    rng = np.random.default_rng(seed)
    t = np.arange(24 * days)
    hour, day = t % 24, t // 24
    weekend = ((day % 7) >= 5).astype(float)
    daily = 0.9 * np.sin(2 * np.pi * (hour - 8) / 24) + 0.45 * np.sin(4 * np.pi * (hour - 5) / 24)
    slow = np.zeros(len(t))
    for i in range(1, len(t)):
        slow[i] = 0.985 * slow[i - 1] + rng.normal(0, 0.05)
    load = 42 + 9 * daily * (1 - 0.45 * weekend) - 3.5 * weekend + 8 * slow + rng.normal(0, 0.5, len(t))
    return load.astype(np.float32)


def windows(load, history, horizon, mean, std):
    z = torch.from_numpy((load - mean) / std)
    both = z.unfold(0, history + horizon, 1)
    return both[:, :history].contiguous(), both[:, history:].contiguous()
