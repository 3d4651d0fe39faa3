import numpy as np


class CartPoles:
    """A batch of independent cart-poles, each restarts on its own when it ends."""

    LIMIT = 200

    def __init__(self, n, seed):
        self.n = n
        self.rng = np.random.default_rng(seed)
        self.state = self.rng.uniform(-0.05, 0.05, (n, 4))
        self.t = np.zeros(n, int)

    def observe(self):
        return (self.state / np.array([1.2, 1.5, 0.12, 1.5])).astype(np.float32)

    def step(self, action):
        x, v, th, w = self.state.T
        force = np.where(action == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        acc_th = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * c / 1.1
        dt = 0.02
        self.state = np.stack([x + dt * v, v + dt * acc_x, th + dt * w, w + dt * acc_th], 1)
        self.t += 1
        fell = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > 0.2095)
        late = (self.t >= self.LIMIT) & ~fell
        final = self.observe()
        done = fell | late
        k = done.sum()
        if k:
            self.state[done] = self.rng.uniform(-0.05, 0.05, (k, 4))
            self.t[done] = 0
        return self.observe(), np.ones(self.n, np.float32), fell, late, final
