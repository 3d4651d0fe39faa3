import torch


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, pts):
        for step in self.steps:
            pts = step(pts)
        return pts


class Jitter:
    def __init__(self, sigma):
        self.sigma = sigma

    def __call__(self, pts):
        return pts + self.sigma * torch.randn_like(pts)


class RandomScale:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, pts):
        return pts * torch.empty(1).uniform_(self.low, self.high)


class RandomMirror:
    """Left- and right-handed users: mirror the stroke on the vertical axis."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, pts):
        if torch.rand(1).item() < self.p:
            pts = pts * torch.tensor([-1.0, 1.0])
        return pts


def train_transform():
    return Compose(RandomScale(0.8, 1.25), RandomMirror(), Jitter(0.02))
