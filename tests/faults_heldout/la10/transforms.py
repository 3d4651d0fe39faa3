import torch

REGISTRY = {}


def register(cls):
    REGISTRY[cls.__name__.lower()] = cls
    return cls


@register
class Jitter:
    def __init__(self, sigma):
        self.sigma = sigma

    def __call__(self, x):
        return x + self.sigma * torch.randn_like(x)


@register
class Shift:
    def __init__(self, max_steps):
        self.max_steps = max_steps

    def __call__(self, x):
        k = int(torch.randint(-self.max_steps, self.max_steps + 1, ()))
        return torch.roll(x, k, dims=-1)


@register
class Magnitude:
    """Scales all axes of a recording with one random factor."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, x):
        return x * torch.empty(()).uniform_(self.low, self.high)


class Pipeline:
    def __init__(self, specs):
        self.steps = []
        for spec in specs:
            args = dict(spec)
            self.steps.append(REGISTRY[args.pop("name")](**args))

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x
