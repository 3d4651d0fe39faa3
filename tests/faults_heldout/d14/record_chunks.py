"""Writes the bearing-vibration chunks (one .npy each) and the label sheet."""
import csv

import numpy as np

rng = np.random.default_rng(77)
N_CHUNK, PER, BANDS = 14, 120, 32
profile = rng.normal(size=(5, BANDS))
rows = []
for c in range(N_CHUNK):
    y = rng.integers(0, 5, PER)
    spec = profile[y] * 0.8 + rng.normal(size=(PER, BANDS))
    energy = np.exp(0.5 * spec)
    np.save(f"chunks/spectra_{c}.npy", energy.astype(np.float32))
    rows += [(c, i, int(v)) for i, v in enumerate(y)]
with open("chunks/labels.csv", "w", newline="") as fh:
    w = csv.writer(fh)
    w.writerow(["chunk", "row", "state"])
    w.writerows(rows)
