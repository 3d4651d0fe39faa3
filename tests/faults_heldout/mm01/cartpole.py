"""Vectorised cart-pole (classic Barto/Sutton/Anderson constants)."""
import numpy as np


class VecCartPole:
    g, mc, mp, half, force, tau = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
    x_lim, th_lim = 2.4, 12 * np.pi / 180

    def __init__(self, n, seed, horizon=200):
        self.n, self.horizon = n, horizon
        self.rng = np.random.default_rng(seed)
        self.s = self._fresh(n)
        self.t = np.zeros(n, dtype=int)

    def _fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, size=(k, 4))

    def reset(self):
        self.s = self._fresh(self.n)
        self.t[:] = 0
        return self.s.astype(np.float32)

    def step(self, a):
        x, v, th, w = self.s.T
        f = np.where(a == 1, self.force, -self.force)
        total = self.mc + self.mp
        tmp = (f + self.mp * self.half * w ** 2 * np.sin(th)) / total
        wacc = (self.g * np.sin(th) - np.cos(th) * tmp) / (
            self.half * (4 / 3 - self.mp * np.cos(th) ** 2 / total))
        xacc = tmp - self.mp * self.half * wacc * np.cos(th) / total
        self.s = np.stack([x + self.tau * v, v + self.tau * xacc,
                           th + self.tau * w, w + self.tau * wacc], 1)
        self.t += 1
        fell = (np.abs(self.s[:, 0]) > self.x_lim) | (np.abs(self.s[:, 2]) > self.th_lim)
        timeout = (self.t >= self.horizon) & ~fell
        final = self.s.astype(np.float32).copy()
        ended = fell | timeout
        lengths = self.t[ended].copy()
        if ended.any():
            self.s[ended] = self._fresh(int(ended.sum()))
            self.t[ended] = 0
        reward = np.ones(self.n, dtype=np.float32)
        return self.s.astype(np.float32), reward, fell, timeout, final, lengths
