import random

import torch


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, x):
        for s in self.steps:
            x = s(x)
        return x


class Jitter:
    def __init__(self, sigma):
        self.sigma = sigma

    def __call__(self, x):
        return x + self.sigma * torch.randn_like(x)


class Scale:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, x):
        return x * random.uniform(self.low, self.high)


class Mirror:
    """Swap wearer's hand: lateral axis changes sign."""

    def __init__(self, p, axis=0):
        self.p, self.axis = p, axis

    def __call__(self, x):
        if random.random() < self.p:
            x = x.clone()
            x[self.axis] = -x[self.axis]
        return x


class Shift:
    def __init__(self, most):
        self.most = most

    def __call__(self, x):
        return torch.roll(x, random.randint(-self.most, self.most), dims=-1)
