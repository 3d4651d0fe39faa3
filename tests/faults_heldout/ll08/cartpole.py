import numpy as np


class CartPoles:
    """N independent cart-poles stepped together (the classic equations, Euler steps of 20 ms)."""

    GRAVITY, M_CART, M_POLE, HALF, FORCE, DT = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02

    def __init__(self, n, seed):
        self.n = n
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, (self.n, 4))
        self.alive = np.ones(self.n, bool)
        return self.s.astype(np.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        f = np.where(action == 1, self.FORCE, -self.FORCE)
        m, pl = self.M_CART + self.M_POLE, self.M_POLE * self.HALF
        tmp = (f + pl * w ** 2 * np.sin(th)) / m
        wa = (self.GRAVITY * np.sin(th) - np.cos(th) * tmp) / (self.HALF * (4 / 3 - self.M_POLE * np.cos(th) ** 2 / m))
        a = tmp - pl * wa * np.cos(th) / m
        new = np.stack([x + self.DT * v, v + self.DT * a, th + self.DT * w, w + self.DT * wa], 1)
        self.s = np.where(self.alive[:, None], new, self.s)
        reward = self.alive.astype(np.float32)
        fell = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 0.2095)
        self.alive &= ~fell
        return self.s.astype(np.float32), reward, self.alive.copy()
