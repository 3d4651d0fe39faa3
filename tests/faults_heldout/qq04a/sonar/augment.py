"""Waveform augmentations. Each takes and returns a float tensor of shape (length,)."""
import torch

REGISTRY = {}


def register(cls):
    REGISTRY[cls.__name__] = cls
    return cls


@register
class AddNoise:
    def __init__(self, std):
        self.std = std

    def __call__(self, w):
        return w + self.std * torch.randn_like(w)


@register
class RandomGain:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, w):
        return w * (self.low + (self.high - self.low) * torch.rand(()))


@register
class RandomShift:
    def __init__(self, samples):
        self.samples = samples

    def __call__(self, w):
        k = int(torch.randint(-self.samples, self.samples + 1, ()))
        return torch.roll(w, k)


@register
class PolarityFlip:
    def __init__(self, p):
        self.p = p

    def __call__(self, w):
        return -w if torch.rand(()) < self.p else w


@register
class TimeReverse:
    def __init__(self, p):
        self.p = p

    def __call__(self, w):
        return w.flip(-1) if torch.rand(()) < self.p else w


class Chain:
    def __init__(self, specs):
        self.steps = []
        for spec in specs:
            spec = dict(spec)
            self.steps.append(REGISTRY[spec.pop("name")](**spec))

    def __call__(self, w):
        for step in self.steps:
            w = step(w)
        return w
