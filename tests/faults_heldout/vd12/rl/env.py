import math

import torch


class CartPoles:
    """N independent pole-balancing tasks stepped together; finished ones restart at once."""

    def __init__(self, n, limit=250, seed=0):
        self.n, self.limit = n, limit
        self.gen = torch.Generator().manual_seed(seed)
        self.s = self._fresh(n)
        self.age = torch.zeros(n)

    def _fresh(self, n):
        return torch.rand(n, 4, generator=self.gen) * 0.1 - 0.05

    def step(self, action):
        x, v, th, w = self.s.unbind(1)
        force = torch.where(action == 1, 10.0, -10.0)
        c, s = th.cos(), th.sin()
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        wacc = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        vacc = tmp - 0.05 * wacc * c / 1.1
        self.s = torch.stack([x + 0.02 * v, v + 0.02 * vacc, th + 0.02 * w, w + 0.02 * wacc], 1)
        self.age += 1
        fell = (self.s[:, 0].abs() > 2.4) | (self.s[:, 2].abs() > 12 * math.pi / 180)
        over = self.age >= self.limit
        done = fell | over
        lengths = self.age[done].tolist()
        after = self.s.clone()
        if done.any():
            self.s[done] = self._fresh(int(done.sum()))
            self.age[done] = 0
        return after, torch.ones(self.n), fell, done, lengths
