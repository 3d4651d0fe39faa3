"""Waveform transforms, looked up by name. Each takes and returns a (T,) tensor."""
import torch

REGISTRY = {}


def register(fn):
    REGISTRY[fn.__name__] = fn
    return fn


@register
def gain(w, low, high):
    return w * (low + (high - low) * torch.rand(()))


@register
def noise(w, std):
    return w + std * torch.randn_like(w)


@register
def shift(w, max_samples):
    return torch.roll(w, int(torch.randint(-max_samples, max_samples + 1, ())))


@register
def invert(w):
    return -w


@register
def reverse(w):
    return w.flip(0)


class Chain:
    def __init__(self, specs):
        self.steps = []
        for spec in specs:
            spec = dict(spec)
            self.steps.append((REGISTRY[spec.pop("op")], spec.pop("p", 1.0), spec))

    def __call__(self, w):
        for fn, p, kw in self.steps:
            if torch.rand(()) < p:
                w = fn(w, **kw)
        return w


def build(specs):
    return Chain(specs)
