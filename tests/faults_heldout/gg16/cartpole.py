import numpy as np


class Swarm:
    """Many pole-on-cart systems side by side; continuous force, sensor noise."""
    DT, G, MC, MP, HALF = 0.02, 9.8, 1.0, 0.1, 0.5

    def __init__(self, n, rng):
        self.rng = rng
        self.s = rng.uniform(-0.12, 0.12, (n, 4))
        self.alive = np.ones(n, bool)

    def observe(self):
        return self.s * np.array([0.6, 0.6, 5.0, 0.8]) + self.rng.normal(0, 0.02, self.s.shape)

    def step(self, force):
        x, v, th, om = self.s.T
        f = 10 * np.clip(force, -1, 1) + self.rng.normal(0, 0.6, len(x))
        m = self.MC + self.MP
        tmp = (f + self.MP * self.HALF * om ** 2 * np.sin(th)) / m
        acc_th = (self.G * np.sin(th) - np.cos(th) * tmp) / (self.HALF * (4 / 3 - self.MP * np.cos(th) ** 2 / m))
        acc_x = tmp - self.MP * self.HALF * acc_th * np.cos(th) / m
        nxt = np.stack([x + self.DT * v, v + self.DT * acc_x, th + self.DT * om, om + self.DT * acc_th], 1)
        self.s = np.where(self.alive[:, None], nxt, self.s)
        reward = self.alive * (1.0 - 0.25 * np.minimum(1, np.abs(x) / 2.4) - 0.05 * np.clip(force, -1, 1) ** 2)
        self.alive &= (np.abs(self.s[:, 0]) < 2.4) & (np.abs(self.s[:, 2]) < 0.21)
        return reward
