import numpy as np


class PoleBatch:
    """N independent cart-poles advanced together; finished ones restart."""

    G, MC, MP, L, F, DT = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
    X_LIM, TH_LIM, T_LIM = 2.4, 12 * np.pi / 180, 300

    def __init__(self, n, seed):
        self.rng = np.random.default_rng(seed)
        self.s = self._fresh(n)
        self.t = np.zeros(n, dtype=int)

    def _fresh(self, n):
        return self.rng.uniform(-0.05, 0.05, (n, 4))

    def observe(self):
        return (self.s * [0.5, 0.7, 5.0, 0.7]).astype(np.float32)

    def step(self, action):
        x, xd, th, thd = self.s.T
        force = np.where(action == 1, self.F, -self.F)
        m = self.MC + self.MP
        tmp = (force + self.MP * self.L * thd ** 2 * np.sin(th)) / m
        thacc = (self.G * np.sin(th) - np.cos(th) * tmp) / (
            self.L * (4 / 3 - self.MP * np.cos(th) ** 2 / m))
        xacc = tmp - self.MP * self.L * thacc * np.cos(th) / m
        self.s = np.stack([x + self.DT * xd, xd + self.DT * xacc,
                           th + self.DT * thd, thd + self.DT * thacc], 1)
        self.t += 1
        failed = (np.abs(self.s[:, 0]) > self.X_LIM) | (np.abs(self.s[:, 2]) > self.TH_LIM)
        timeout = ~failed & (self.t >= self.T_LIM)
        final = self.observe()
        lengths = self.t[failed | timeout].copy()
        over = failed | timeout
        if over.any():
            self.s[over] = self._fresh(int(over.sum()))
            self.t[over] = 0
        return failed, timeout, final, lengths
