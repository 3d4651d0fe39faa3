"""Synthetic single-lead beats: normal, premature, wide, flutter."""
import numpy as np

KINDS = ["normal", "premature", "wide", "flutter"]
SHARE = [0.7, 0.12, 0.1, 0.08]


def beat(kind, r, n=128):
    t = np.arange(n)
    centre = 64 + r.normal(0, 3) - (16 if kind == "premature" else 0)
    width = r.uniform(2.0, 3.0) * (2.2 if kind == "wide" else 1.0)
    amp = r.uniform(0.8, 1.3)
    x = amp * np.exp(-((t - centre) / width) ** 2)
    x -= 0.25 * amp * np.exp(-((t - centre - 2.5 * width) / width) ** 2)
    x += r.uniform(0.15, 0.35) * np.exp(-((t - centre - 30) / 8) ** 2)
    if kind == "flutter":
        x += 0.22 * np.sin(2 * np.pi * t / r.uniform(11, 15) + r.uniform(0, 6.28))
    else:
        x += 0.12 * np.exp(-((t - centre + 22) / 5) ** 2)
    x += 0.1 * np.sin(2 * np.pi * t / 200 + r.uniform(0, 6.28))
    return x + r.normal(0, 0.12, n)


def make(n, seed):
    r = np.random.default_rng(seed)
    y = r.choice(4, n, p=SHARE)
    x = np.stack([beat(KINDS[k], r) for k in y]).astype("float32")
    return x[:, None, :], y
