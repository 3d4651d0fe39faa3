import numpy as np
import torch


class SecondOrderSource:
    """Symbols whose distribution depends on the two previous ones."""

    def __init__(self, symbols, rng, branch=3):
        self.k = symbols
        p = np.zeros((symbols, symbols, symbols))
        for a in range(symbols):
            for b in range(symbols):
                nxt = rng.choice(symbols, branch, replace=False)
                p[a, b, nxt] = rng.dirichlet(np.full(branch, 0.7))
        self.p = p
        self.cum = p.cumsum(-1)
        self.rng = rng

    def sample(self, n, length):
        out = np.zeros((n, length), dtype=np.int64)
        out[:, :2] = self.rng.integers(0, self.k, (n, 2))
        for t in range(2, length):
            u = self.rng.random((n, 1))
            c = self.cum[out[:, t - 2], out[:, t - 1]]
            out[:, t] = np.minimum((u > c).sum(1), self.k - 1)
        return torch.from_numpy(out)

    def entropy(self, seqs):
        q = self.p[seqs[:, :-2], seqs[:, 1:-1]]
        return float(-(q * np.log(q + 1e-12)).sum(-1).mean())
