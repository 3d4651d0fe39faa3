import numpy as np
import torch


class Replay:
    def __init__(self, size, dim, seed):
        self.o = np.zeros((size, dim), np.float32)
        self.n = np.zeros((size, dim), np.float32)
        self.a = np.zeros(size, np.int64)
        self.r = np.zeros(size, np.float32)
        self.term = np.zeros(size, np.float32)
        self.size, self.ptr, self.count = size, 0, 0
        self.rng = np.random.default_rng(seed)

    def add(self, o, a, r, n, term):
        i = self.ptr
        self.o[i], self.a[i], self.r[i], self.n[i], self.term[i] = o, a, r, n, term
        self.ptr = (i + 1) % self.size
        self.count = min(self.count + 1, self.size)

    def draw(self, k):
        i = self.rng.integers(self.count, size=k)
        return tuple(torch.from_numpy(z[i]) for z in (self.o, self.a, self.r, self.n, self.term))
