import numpy as np


class CartPoles:
    """A batch of independent cart-pole systems (Barto, Sutton & Anderson), Euler steps of 20 ms."""

    def __init__(self, n, limit=300, seed=0):
        self.n, self.limit = n, limit
        self.rng = np.random.default_rng(seed)
        self.state = self._fresh(n)
        self.age = np.zeros(n, dtype=int)

    def _fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, size=(k, 4))

    def observe(self):
        return self.state.astype(np.float32)

    def step(self, action):
        x, v, th, w = self.state.T
        force = np.where(action == 1, 10.0, -10.0)
        cos, sin = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w ** 2 * sin) / 1.1
        acc_th = (9.8 * sin - cos * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * cos ** 2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * cos / 1.1
        self.state = np.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * w, w + 0.02 * acc_th], axis=1)
        self.age += 1
        failed = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > 0.2095)
        cut = (self.age >= self.limit) & ~failed
        last_obs = self.observe()
        done = failed | cut
        finished = self.age[done].tolist()
        if done.any():
            self.state[done] = self._fresh(int(done.sum()))
            self.age[done] = 0
        return last_obs, np.ones(self.n, np.float32), failed, cut, finished
