"""Vectorised pole balancing with wind, numpy only."""
import numpy as np


class PoleEnv:
    G, MC, MP, L, FORCE, DT = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
    LIMIT = 300

    def __init__(self, n, seed):
        self.n = n
        self.rng = np.random.default_rng(seed)
        self.s = np.zeros((n, 4), np.float32)
        self.t = np.zeros(n, np.int64)
        self.ret = np.zeros(n, np.float32)
        self._reset(np.ones(n, bool))

    def _reset(self, m):
        self.s[m] = self.rng.uniform(-0.1, 0.1, (m.sum(), 4))
        self.t[m] = 0
        self.ret[m] = 0

    def obs(self):
        return self.s.copy()

    def step(self, act):
        x, v, th, om = self.s.T
        f = np.where(act == 1, self.FORCE, -self.FORCE) + self.rng.normal(0, 4.0, self.n)
        c, s = np.cos(th), np.sin(th)
        tmp = (f + self.MP * self.L * om ** 2 * s) / (self.MC + self.MP)
        tha = (self.G * s - c * tmp) / (self.L * (4 / 3 - self.MP * c ** 2 / (self.MC + self.MP)))
        xa = tmp - self.MP * self.L * tha * c / (self.MC + self.MP)
        self.s = np.stack([x + self.DT * v, v + self.DT * xa, th + self.DT * om, om + self.DT * tha], 1).astype(np.float32)
        self.t += 1
        self.ret += 1
        fell = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 0.2095)
        timeout = (self.t >= self.LIMIT) & ~fell
        last_obs = self.s.copy()
        over = fell | timeout
        finished = self.ret[over].tolist()
        self._reset(over)
        return np.ones(self.n, np.float32), fell, timeout, last_obs, finished
