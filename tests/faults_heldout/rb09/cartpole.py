import numpy as np


class CartPoleBatch:
    """Many cart-poles stepped together. A pole that fell stays down until the next reset()."""

    def __init__(self, count, limit, seed):
        self.count, self.limit = count, limit
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, (self.count, 4))
        self.alive = np.ones(self.count, dtype=bool)
        self.t = 0
        return self.s.astype(np.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        force = np.where(action == 1, 10.0, -10.0)
        cos, sin = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w**2 * sin) / 1.1
        acc_th = (9.8 * sin - cos * tmp) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * cos / 1.1
        nxt = np.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * w, w + 0.02 * acc_th], 1)
        reward = self.alive.astype(np.float32)
        self.s = np.where(self.alive[:, None], nxt, self.s)
        self.alive &= (np.abs(self.s[:, 0]) < 2.4) & (np.abs(self.s[:, 2]) < 0.2095)
        self.t += 1
        return self.s.astype(np.float32), reward, self.t >= self.limit or not self.alive.any()
