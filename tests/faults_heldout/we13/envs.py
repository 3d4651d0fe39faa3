import numpy as np


class VectorPendulum:
    """N swing-up pendulums with three torque levels, stepped together."""

    g, mass, length, dt = 9.8, 1.0, 1.0, 0.05
    torques = np.array([-2.0, 0.0, 2.0])
    max_speed = 8.0

    def __init__(self, n, episode=200, seed=0):
        self.n, self.episode = n, episode
        self.rng = np.random.default_rng(seed)
        self.theta, self.speed = self._start(n)
        self.t = self.rng.integers(0, episode, n)
        self.ret = np.zeros(n)
        self.whole = np.zeros(n, dtype=bool)

    def _start(self, n):
        return self.rng.uniform(-np.pi, np.pi, n), self.rng.uniform(-1, 1, n)

    def observe(self):
        return np.stack([np.cos(self.theta), np.sin(self.theta), self.speed / 4], axis=1).astype(np.float32)

    def step(self, action):
        u = self.torques[action]
        angle = (self.theta + np.pi) % (2 * np.pi) - np.pi
        reward = -(angle**2 + 0.1 * self.speed**2 + 0.001 * u**2)
        acc = 3 * self.g / (2 * self.length) * np.sin(self.theta) + 3 / (self.mass * self.length**2) * u
        self.speed = np.clip(self.speed + acc * self.dt, -self.max_speed, self.max_speed)
        self.theta = self.theta + self.speed * self.dt
        self.t += 1
        self.ret += reward
        last_obs = self.observe()
        timeout = self.t >= self.episode
        returns = self.ret[timeout & self.whole].copy()
        k = int(timeout.sum())
        if k:
            self.theta[timeout], self.speed[timeout] = self._start(k)
            self.t[timeout] = 0
            self.ret[timeout] = 0.0
            self.whole[timeout] = True
        return self.observe(), reward.astype(np.float32), timeout, last_obs, returns
