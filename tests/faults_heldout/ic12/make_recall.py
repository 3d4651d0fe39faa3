"""Writes recall.npz: a symbol is shown first, then fillers, and has to be named at the end."""
import numpy as np

rng = np.random.default_rng(6)
N, T, KEYS, FILL = 1500, 36, 5, 6
seq = rng.integers(KEYS, KEYS + FILL, size=(N, T))
key = rng.integers(0, KEYS, size=N)
seq[np.arange(N), rng.integers(0, 4, size=N)] = key
np.savez_compressed("recall.npz", seq=seq.astype(np.int8), key=key.astype(np.int8))
