import numpy as np


class Poles:
    """Many cart-poles side by side; a fallen one stays down until reset."""

    def __init__(self, n, limit=150, seed=0):
        self.n, self.limit = n, limit
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, (self.n, 4))
        self.alive = np.ones(self.n, bool)
        self.t = 0
        return self.observe()

    def observe(self):
        return (self.s * np.array([0.5, 0.5, 5.0, 1.0])).astype(np.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        force = np.where(action == 1, 10.0, -10.0) + self.rng.normal(0, 6.0, self.n)
        c, sn = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w ** 2 * sn) / 1.1
        acc = (9.8 * sn - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        xa = tmp - 0.05 * acc * c / 1.1
        nxt = np.stack([x + 0.02 * v, v + 0.02 * xa, th + 0.02 * w, w + 0.02 * acc], 1)
        was = self.alive.copy()
        self.s = np.where(was[:, None], nxt, self.s)
        self.t += 1
        self.alive = was & (np.abs(self.s[:, 0]) < 2.4) & (np.abs(self.s[:, 2]) < 0.21)
        return self.observe(), was.astype(np.float32), self.t >= self.limit or not self.alive.any()
