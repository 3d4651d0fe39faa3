"""Simulated jets: four-momentum-like constituents, written to jets.npz."""
import numpy as np

rng = np.random.default_rng(180)
N, K = 1500, 30
label = rng.integers(0, 2, N)
pt = rng.exponential(1.0, (N, K)) * (1 + 0.5 * label[:, None] * rng.random((N, K)))
spread = 0.16 + 0.14 * label[:, None]
eta, phi = spread * rng.normal(size=(N, K)), spread * rng.normal(size=(N, K))
alive = np.arange(K)[None] < rng.integers(12, K + 1, N)[:, None]
parts = np.stack([pt, eta, phi, alive], -1) * alive[..., None]
np.savez_compressed("jets.npz", parts=parts.astype(np.float32), label=label)
