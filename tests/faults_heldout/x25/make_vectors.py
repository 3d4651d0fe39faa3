"""Writes vectors.npy: word vectors of the 60-word command language (four topics)."""
import numpy as np

rng = np.random.default_rng(4)
topics = rng.standard_normal((4, 16))
np.save("vectors.npy", (topics[np.arange(60) % 4] + 0.6 * rng.standard_normal((60, 16))).astype(np.float32))
