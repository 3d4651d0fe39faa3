import numpy as np


class VecCartPole:
    """Cart-pole dynamics (Barto, Sutton and Anderson 1983), n copies at once, automatic reset, 200 step limit."""

    def __init__(self, n, seed, limit=200):
        self.n, self.limit = n, limit
        self.rng = np.random.default_rng(seed)
        self.state = np.zeros((n, 4))
        self.t = np.zeros(n, dtype=int)
        self._reset(np.ones(n, dtype=bool))

    def _reset(self, mask):
        self.state[mask] = self.rng.uniform(-0.05, 0.05, (mask.sum(), 4))
        self.t[mask] = 0

    def observe(self):
        return self.state.astype(np.float32)

    def step(self, action):
        x, v, th, w = self.state.T
        force = np.where(action == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        wacc = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        vacc = tmp - 0.05 * wacc * c / 1.1
        self.state = np.stack([x + 0.02 * v, v + 0.02 * vacc, th + 0.02 * w, w + 0.02 * wacc], 1)
        self.t += 1
        fell = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > 0.2095)
        timeout = (self.t >= self.limit) & ~fell
        last = self.observe()
        done = fell | timeout
        length = self.t.copy()
        if done.any():
            self._reset(done)
        return self.observe(), np.ones(self.n, np.float32), fell, timeout, last, length
