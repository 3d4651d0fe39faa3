"""Vibration snippets of a test rig: healthy, outer race, inner race, ball, imbalance."""
import numpy as np

STATES = ["ok", "outer", "inner", "ball", "imbalance"]


def snippet(state, r, n=256):
    t = np.arange(n)
    x = r.normal(0, 0.45, n) + 0.3 * np.sin(2 * np.pi * t / 64 + r.uniform(0, 6.28))
    if state == "imbalance":
        x += 0.5 * np.sin(2 * np.pi * t / 32 + r.uniform(0, 6.28))
    elif state != "ok":
        gap, freq, decay = {"outer": (40, 0.22, 7), "inner": (27, 0.22, 7), "ball": (40, 0.31, 7)}[state]
        for k in np.arange(r.uniform(0, gap), n, gap):
            d = t - k - r.normal(0, 0.6)
            on = d >= 0
            x += on * r.uniform(0.9, 1.4) * np.exp(-np.where(on, d, 0) / decay) * np.sin(2 * np.pi * freq * d)
    return x


def dataset(n, seed):
    r = np.random.default_rng(seed)
    y = r.integers(0, len(STATES), n)
    x = np.stack([snippet(STATES[k], r) for k in y])
    return x[:, None].astype("float32"), y
