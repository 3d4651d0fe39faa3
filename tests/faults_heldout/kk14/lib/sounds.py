"""Short machine-shop sounds: drill, saw, hammer, compressor (0.25 s at 4 kHz)."""
import numpy as np

NAMES = ["drill", "saw", "hammer", "compressor"]
RATE = 4000


def _tone(f, t, rng, harmonics):
    out = np.zeros_like(t)
    for h in range(1, harmonics + 1):
        out += np.sin(2 * np.pi * f * h * t + rng.uniform(0, 6.28)) / h
    return out


def clip(kind, rng, n=1000):
    t = np.arange(n) / RATE
    gain = 10 ** rng.uniform(-1.6, 0.4)
    if kind == 0:
        x = _tone(rng.uniform(380, 520), t, rng, 3)
    elif kind == 1:
        x = _tone(rng.uniform(300, 460), t, rng, 4) * (0.6 + 0.4 * np.sin(2 * np.pi * rng.uniform(15, 30) * t))
        x += 0.5 * rng.normal(size=n)
    elif kind == 2:
        x = 0.05 * rng.normal(size=n)
        for s in rng.integers(0, n - 100, 2):
            m = n - s
            x[s:] += 2.5 * rng.normal(size=m) * np.exp(-np.arange(m) / 60)
    else:
        x = _tone(rng.uniform(50, 110), t, rng, 6) + 0.4 * rng.normal(size=n)
    return (gain * (x + 0.45 * rng.normal(size=n))).astype(np.float32)


def corpus(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(len(NAMES), size=n)
    return np.stack([clip(k, rng) for k in y]), y
