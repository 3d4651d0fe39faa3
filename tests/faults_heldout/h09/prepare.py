"""Sensor readings that lie close to a curved two-dimensional surface in five dimensions."""
import numpy as np

rng = np.random.default_rng(8)
n = 6000
u, v = rng.uniform(0, 3 * np.pi / 2, n), rng.normal(size=n)
x = np.stack([np.cos(u) * (1 + 0.2 * u), np.sin(u) * (1 + 0.2 * u), v, 0.5 * v ** 2 + 0.2 * np.cos(u),
              np.tanh(v) * np.sin(u)], axis=1)
x += 0.03 * rng.normal(size=x.shape)
np.save("readings.npy", x.astype(np.float32))
