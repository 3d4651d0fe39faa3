import torch


class Jitter:
    def __init__(self, std):
        self.std = std

    def __call__(self, w):
        return w + self.std * torch.randn_like(w)


class Gain:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, w):
        return w * torch.empty(1).uniform_(self.low, self.high)


class Invert:
    """polarity of the transducer"""

    def __init__(self, p):
        self.p = p

    def __call__(self, w):
        return -w if torch.rand(()) < self.p else w


class Roll:
    def __init__(self, most):
        self.most = most

    def __call__(self, w):
        k = int(torch.randint(-self.most, self.most + 1, ()))
        return torch.roll(w, k, dims=-1)


class Flip:
    """mirror along the sample axis"""

    def __init__(self, p):
        self.p = p

    def __call__(self, w):
        return w.flip(-1) if torch.rand(()) < self.p else w


REGISTRY = {"jitter": Jitter, "gain": Gain, "invert": Invert, "roll": Roll, "flip": Flip}


def compose(spec):
    steps = [REGISTRY[item["name"]](**{k: v for k, v in item.items() if k != "name"}) for item in spec]

    def apply(w):
        for step in steps:
            w = step(w)
        return w

    return apply
