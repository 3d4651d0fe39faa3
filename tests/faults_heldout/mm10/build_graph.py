"""Writes graph.npz: a planted-partition citation-like graph with bag-of-words features."""
import numpy as np

rng = np.random.default_rng(77)
N, C, V = 700, 5, 160
y = rng.integers(0, C, N)
same = y[:, None] == y[None, :]
p = np.where(same, 0.026, 0.0022)
up = np.triu(rng.random((N, N)) < p, 1)
src, dst = np.nonzero(up)
topic = rng.dirichlet(np.full(V, 0.35), C)
mixed = 0.4 * topic + 0.6 / V
words = np.stack([rng.multinomial(18, mixed[c]) for c in y]) > 0
perm = rng.permutation(N)
train = np.concatenate([perm[y[perm] == c][:12] for c in range(C)])
rest = perm[~np.isin(perm, train)]
np.savez_compressed("graph.npz", src=src.astype(np.int16), dst=dst.astype(np.int16), words=np.packbits(words, axis=1),
                    y=y.astype(np.int8), train=train, val=rest[:200], test=rest[200:], vocab=V)
