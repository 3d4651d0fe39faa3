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
        return x * torch.empty(len(x), 1, 1).uniform_(self.low, self.high)


class TimeShift:
    def __init__(self, most):
        self.most = most

    def __call__(self, x):
        return torch.roll(x, int(torch.randint(-self.most, self.most + 1, ())), dims=2)


class MirrorHand:
    """Left-handed wearers: reflect the x axis of a share of the recordings."""

    def __init__(self, p):
        self.p = p

    def __call__(self, x):
        sign = torch.ones(len(x), x.shape[1], 1)
        sign[torch.rand(len(x)) < self.p, 0] = -1.0
        return x * sign
