import math

import torch


class CartPoles:
    """A batch of cart-poles with the usual constants; an episode ends when the pole falls or after `horizon` steps."""

    def __init__(self, n, horizon=200):
        self.n, self.horizon = n, horizon

    def reset(self):
        self.s = torch.empty(self.n, 4).uniform_(-0.05, 0.05)
        self.alive = torch.ones(self.n, dtype=torch.bool)
        return self.s

    def step(self, action):
        x, v, th, w = self.s.unbind(1)
        force = torch.where(action == 1, 10.0, -10.0)
        c, s = th.cos(), th.sin()
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        acc = (9.8 * s - c * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * c ** 2 / 1.1))
        xacc = tmp - 0.05 * acc * c / 1.1
        self.s = torch.stack([x + 0.02 * v, v + 0.02 * xacc, th + 0.02 * w, w + 0.02 * acc], dim=1)
        reward = self.alive.float()
        x, th = self.s[:, 0], self.s[:, 2]
        self.alive = self.alive & (x.abs() < 2.4) & (th.abs() < 12 * math.pi / 180)
        return self.s, reward
