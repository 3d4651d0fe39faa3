"""Waveform augmentations; each is a callable tensor -> tensor."""
import torch


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, x):
        for s in self.steps:
            x = s(x)
        return x


class RandomGain:
    def __init__(self, lo=0.8, hi=1.25):
        self.lo, self.hi = lo, hi

    def __call__(self, x):
        return x * torch.empty(1).uniform_(self.lo, self.hi)


class RandomShift:
    def __init__(self, width=6):
        self.width = width

    def __call__(self, x):
        return torch.roll(x, int(torch.randint(-self.width, self.width + 1, (1,))))


class RandomPolarity:
    def __call__(self, x):
        return -x if torch.rand(1) < 0.5 else x


class RandomFlip:
    def __call__(self, x):
        return x.flip(-1) if torch.rand(1) < 0.5 else x
