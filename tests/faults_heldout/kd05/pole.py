import numpy as np


class PoleBatch:
    """N cart-poles stepped together; an environment that ends is restarted."""

    def __init__(self, n, limit=200, seed=0):
        self.n, self.limit = n, limit
        self.rng = np.random.default_rng(seed)
        self.s = self._fresh(n)
        self.t = np.zeros(n, int)

    def _fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, (k, 4))

    def obs(self):
        return (self.s / np.array([1.2, 1.0, 0.1, 1.0])).astype(np.float32)

    def step(self, a):
        x, xd, th, thd = self.s.T
        f = np.where(a == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (f + 0.05 * thd ** 2 * s) / 1.1
        thacc = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        xacc = tmp - 0.05 * thacc * c / 1.1
        self.s = np.stack([x + 0.02 * xd, xd + 0.02 * xacc, th + 0.02 * thd, thd + 0.02 * thacc], 1)
        self.t += 1
        fell = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 0.2095)
        timeout = (self.t >= self.limit) & ~fell
        final_obs = self.obs()
        lengths = self.t[fell | timeout].tolist()
        over = fell | timeout
        if over.any():
            self.s[over] = self._fresh(over.sum())
            self.t[over] = 0
        return self.obs(), np.ones(self.n, np.float32), fell, timeout, final_obs, lengths
