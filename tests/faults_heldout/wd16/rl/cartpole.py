"""Vectorised cart-pole with time limit and automatic reset."""
import numpy as np

G, M_CART, M_POLE, HALF, FORCE, TAU = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
X_LIM, THETA_LIM = 2.4, 12 * np.pi / 180


class VecCartPole:
    def __init__(self, n, max_steps, seed):
        self.n, self.max_steps = n, max_steps
        self.rng = np.random.default_rng(seed)
        self.s = self._fresh(n)
        self.t = np.zeros(n, dtype=int)

    def _fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, (k, 4))

    def obs(self):
        return self.s.astype(np.float32)

    def step(self, action):
        x, xd, th, thd = self.s.T
        f = np.where(action == 1, FORCE, -FORCE)
        total = M_CART + M_POLE
        tmp = (f + M_POLE * HALF * thd ** 2 * np.sin(th)) / total
        acc = (G * np.sin(th) - np.cos(th) * tmp) / (HALF * (4 / 3 - M_POLE * np.cos(th) ** 2 / total))
        xacc = tmp - M_POLE * HALF * acc * np.cos(th) / total
        self.s = np.stack([x + TAU * xd, xd + TAU * xacc, th + TAU * thd, thd + TAU * acc], 1)
        self.t += 1
        failed = (np.abs(self.s[:, 0]) > X_LIM) | (np.abs(self.s[:, 2]) > THETA_LIM)
        timeout = (self.t >= self.max_steps) & ~failed
        final = self.obs()
        lengths = self.t[failed | timeout].tolist()
        over = failed | timeout
        self.s[over] = self._fresh(over.sum())
        self.t[over] = 0
        return self.obs(), np.ones(self.n, dtype=np.float32), failed, timeout, final, lengths
