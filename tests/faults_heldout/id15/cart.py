import numpy as np


class Carts:
    """n cart-poles in parallel; an episode ends when the pole falls, the cart leaves or the time is over."""

    def __init__(self, n, limit, rng):
        self.n, self.limit, self.rng = n, limit, rng

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, (self.n, 4))
        self.t = 0
        self.alive = np.ones(self.n, bool)
        return self.s.astype(np.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        force = np.where(action == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        acc = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        xa = tmp - 0.05 * acc * c / 1.1
        self.s = np.stack([x + 0.02 * v, v + 0.02 * xa, th + 0.02 * w, w + 0.02 * acc], 1)
        self.t += 1
        reward = self.alive.astype(np.float32)
        self.alive &= (np.abs(self.s[:, 0]) < 2.4) & (np.abs(self.s[:, 2]) < 0.2095) & (self.t < self.limit)
        return self.s.astype(np.float32), reward, self.alive.copy()
