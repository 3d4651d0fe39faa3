import numpy as np


class CartPoleBatch:
    """Many copies of the classic cart-pole, stepped together; ended copies restart by themselves."""

    G, MC, MP, LEN, FORCE, DT = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02

    SPAN = np.array([2.4, 2.0, 0.21, 2.0])

    def __init__(self, n, horizon, seed):
        self.n, self.horizon = n, horizon
        self.rng = np.random.default_rng(seed)
        self.state = self._fresh(n)
        self.age = np.zeros(n, dtype=np.int64)

    def _fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, size=(k, 4))

    def observe(self):
        return (self.state / self.SPAN).astype(np.float32)

    def step(self, action):
        x, v, th, w = self.state.T
        f = np.where(action == 1, self.FORCE, -self.FORCE)
        m = self.MC + self.MP
        c, s = np.cos(th), np.sin(th)
        tmp = (f + self.MP * self.LEN * w**2 * s) / m
        aw = (self.G * s - c * tmp) / (self.LEN * (4.0 / 3.0 - self.MP * c**2 / m))
        ax = tmp - self.MP * self.LEN * aw * c / m
        self.state = np.stack([x + self.DT * v, v + self.DT * ax, th + self.DT * w, w + self.DT * aw], 1)
        self.age += 1
        fell = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > 0.2095)
        timeout = (self.age >= self.horizon) & ~fell
        last_obs = self.observe()
        done = fell | timeout
        lengths = self.age[done].copy()
        if done.any():
            self.state[done] = self._fresh(int(done.sum()))
            self.age[done] = 0
        reward = np.ones(self.n, dtype=np.float32)
        return last_obs, reward, fell, timeout, lengths
