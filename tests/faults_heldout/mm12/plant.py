import numpy as np


def simulate(length, channels, seed):
    """Cascaded tanks: a slow hidden store feeds a fast one; only the outflow is seen. Returns (T, C) input, output."""
    rng = np.random.default_rng(seed)
    u = np.zeros((length, channels), np.float32)
    y = np.zeros((length, channels), np.float32)
    level = rng.uniform(0.2, 0.8, channels)
    drive = rng.uniform(-1, 1, channels)
    slow = np.zeros(channels)
    fast = np.zeros(channels)
    for t in range(length):
        flip = rng.random(channels) < 0.04
        drive = np.where(flip, rng.uniform(-1, 1, channels), drive)
        slow = slow + 0.02 * (drive - slow)
        fast = fast + 0.25 * (np.tanh(2.5 * slow) - fast)
        u[t] = drive
        y[t] = fast + 0.01 * rng.normal(size=channels)
    return u, y
