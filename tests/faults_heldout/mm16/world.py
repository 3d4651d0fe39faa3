import numpy as np


class Reacher1D:
    """A cart with friction has to come to rest at a target on a line; 40 steps, dense cost."""

    horizon, dt = 40, 0.1

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def _obs(self):
        return np.array([self.x, self.v, self.goal - self.x], dtype=np.float32)

    def reset(self):
        self.x, self.v = self.rng.uniform(-1, 1), 0.0
        self.goal = self.rng.uniform(-1, 1)
        self.t = 0
        return self._obs()

    def step(self, a):
        a = float(np.clip(a, -1, 1))
        self.v += self.dt * (4 * a - 0.5 * self.v)
        self.x += self.dt * self.v
        if abs(self.x) > 1.5:                 # buffers at both ends of the rail
            self.x, self.v = float(np.clip(self.x, -1.5, 1.5)), 0.0
        self.t += 1
        cost = (self.goal - self.x) ** 2 + 0.05 * self.v ** 2 + 0.01 * a * a
        return self._obs(), -cost, self.t >= self.horizon
