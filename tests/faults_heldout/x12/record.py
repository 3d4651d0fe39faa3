"""Writes traces.npz: three kinds of vibration traces."""
import numpy as np

rng = np.random.default_rng(12)
n, length = 440, 320
kind = rng.integers(0, 3, n)
t = np.arange(length)
traces = np.zeros((n, length), dtype=np.float32)
for i, k in enumerate(kind):
    f = rng.uniform(0.04, 0.08)
    phase = rng.uniform(0, 6.28)
    base = np.sin(2 * np.pi * f * t + phase)
    if k == 1:
        base = base + 0.6 * np.sin(4 * np.pi * f * t + phase)
    if k == 2:
        base[rng.integers(0, length, 12)] += 3.0
    traces[i] = base + 0.4 * rng.standard_normal(length)
np.savez_compressed("traces.npz", traces=traces, kind=kind)
