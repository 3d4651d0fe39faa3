"""Vectorised cart-pole in numpy (same physics as the classic control task)."""
import numpy as np


class VecCartPole:
    def __init__(self, n, seed, limit=200):
        self.n, self.limit = n, limit
        self.rng = np.random.default_rng(seed)
        self.state = np.zeros((n, 4))
        self.t = np.zeros(n, dtype=int)
        self._restart(np.ones(n, bool))

    def _restart(self, mask):
        self.state[mask] = self.rng.uniform(-0.05, 0.05, (mask.sum(), 4))
        self.t[mask] = 0

    def obs(self):
        return self.state.astype(np.float32)

    def step(self, act):
        x, xd, th, thd = self.state.T
        force = np.where(act == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * thd ** 2 * s) / 1.1
        tha = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        xa = tmp - 0.05 * tha * c / 1.1
        dt = 0.02
        self.state = np.stack([x + dt * xd, xd + dt * xa, th + dt * thd, thd + dt * tha], 1)
        self.t += 1
        fell = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > 0.2095)
        timeout = (self.t >= self.limit) & ~fell
        done = fell | timeout
        lengths = self.t[done].copy()
        final = self.obs()
        self._restart(done)
        return self.obs(), np.ones(self.n, np.float32), fell, timeout, final, lengths
