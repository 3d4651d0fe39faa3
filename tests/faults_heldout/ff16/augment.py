import torch

REGISTRY = {}


def register(fn):
    REGISTRY[fn.__name__] = fn
    return fn


@register
def gain(w, rng):
    return w * (0.7 + 0.6 * torch.rand(w.shape[0], 1, generator=rng))


@register
def roll(w, rng):
    k = int(torch.randint(-8, 9, (), generator=rng))
    return torch.roll(w, k, dims=-1)


@register
def polarity(w, rng):
    sign = torch.randint(0, 2, (w.shape[0], 1), generator=rng) * 2 - 1
    return w * sign


@register
def mirror(w, rng):
    pick = torch.rand(w.shape[0], 1, generator=rng) < 0.5
    return torch.where(pick, w.flip(-1), w)


@register
def hiss(w, rng):
    return w + 0.1 * torch.randn(w.shape, generator=rng)


class Pipeline:
    def __init__(self, names, seed=0):
        self.ops = [REGISTRY[n] for n in names]
        self.rng = torch.Generator().manual_seed(seed)

    def __call__(self, w):
        for op in self.ops:
            w = op(w, self.rng)
        return w
