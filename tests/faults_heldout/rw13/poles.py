import numpy as np


class PoleField:
    """Many cart-poles that advance together; a finished one starts over by itself."""

    G, MC, MP, HALF, FORCE, DT = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
    X_MAX, TH_MAX, T_MAX = 2.4, 0.2095, 300

    def __init__(self, n, seed):
        self.n = n
        self.rng = np.random.default_rng(seed)
        self.s = self._fresh(n)
        self.t = np.zeros(n, dtype=int)

    def _fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, (k, 4))

    def observe(self):
        return self.s.astype(np.float32)

    def step(self, action):
        x, dx, th, dth = self.s.T
        force = np.where(action == 1, self.FORCE, -self.FORCE)
        m = self.MC + self.MP
        tmp = (force + self.MP * self.HALF * dth ** 2 * np.sin(th)) / m
        ddth = (self.G * np.sin(th) - np.cos(th) * tmp) / (self.HALF * (4 / 3 - self.MP * np.cos(th) ** 2 / m))
        ddx = tmp - self.MP * self.HALF * ddth * np.cos(th) / m
        self.s = np.stack([x + self.DT * dx, dx + self.DT * ddx, th + self.DT * dth, dth + self.DT * ddth], 1)
        self.t += 1
        fell = (np.abs(self.s[:, 0]) > self.X_MAX) | (np.abs(self.s[:, 2]) > self.TH_MAX)
        cut = (self.t >= self.T_MAX) & ~fell
        final = self.observe()
        lengths = self.t[fell | cut].tolist()
        over = fell | cut
        self.s[over] = self._fresh(int(over.sum()))
        self.t[over] = 0
        return self.observe(), np.ones(self.n, np.float32), fell, cut, final, lengths
