import math

import torch


class CartPoles:
    """Many cart-poles stepped together; the equations and limits of the classic control task, 200 steps at most."""

    def __init__(self, n, generator):
        self.n, self.g = n, generator
        self.s = self._fresh(n)
        self.age = torch.zeros(n, dtype=torch.long)

    def _fresh(self, n):
        return torch.rand(n, 4, generator=self.g) * 0.1 - 0.05

    def step(self, action):
        """Returns the next state, reward, fell over, out of time; finished carts are put back at the start."""
        x, v, th, w = self.s.unbind(1)
        force = torch.where(action == 1, 10.0, -10.0)
        c, s = th.cos(), th.sin()
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        acc_th = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * c / 1.1
        nxt = torch.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * w, w + 0.02 * acc_th], 1)
        self.age += 1
        fell = (nxt[:, 0].abs() > 2.4) | (nxt[:, 2].abs() > 12 * math.pi / 180)
        timeout = (self.age >= 200) & ~fell
        done = fell | timeout
        self.s = nxt.clone()
        lengths = self.age[done].tolist()
        if done.any():
            self.s[done] = self._fresh(int(done.sum()))
            self.age[done] = 0
        return nxt, torch.ones(self.n), fell, timeout, lengths
