"""A batch of pole-on-cart systems stepped together (plain numpy physics)."""
import numpy as np


class Balance:
    def __init__(self, n, max_steps, rng):
        self.n, self.max_steps, self.rng = n, max_steps, rng

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, (self.n, 4))
        self.t = 0
        self.alive = np.ones(self.n, dtype=bool)
        return self.obs()

    def obs(self):
        return (self.s / np.array([1.2, 1.0, 0.12, 1.0])).astype(np.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        force = np.where(action == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        acc = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        vacc = tmp - 0.05 * acc * c / 1.1
        new = np.stack([x + 0.02 * v, v + 0.02 * vacc, th + 0.02 * w, w + 0.02 * acc], 1)
        self.s = np.where(self.alive[:, None], new, self.s)
        reward = self.alive.astype(np.float32)
        self.t += 1
        fell = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 0.21)
        self.alive &= ~fell
        return self.obs(), reward, self.t >= self.max_steps or not self.alive.any()
