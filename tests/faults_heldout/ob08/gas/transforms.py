import torch


class Log1p:
    def fit(self, x):
        return self

    def __call__(self, x):
        return torch.log1p(x)


class Standardize:
    def __init__(self):
        self.mean = None
        self.std = None

    def fit(self, x):
        self.mean, self.std = x.mean(0), x.std(0)
        return self

    def __call__(self, x):
        return (x - self.mean) / self.std


class Jitter:
    def __init__(self, std):
        self.std = std

    def fit(self, x):
        return self

    def __call__(self, x):
        return x + self.std * torch.randn_like(x)


class Pipeline:
    """A chain of named transforms; fitted once, then shared between the splits."""

    def __init__(self, available, names):
        self.available = available
        self.names = names

    def fit(self, x):
        for name in self.names:
            x = self.available[name].fit(x)(x)
        return self

    def __call__(self, x):
        for name in self.names:
            x = self.available[name](x)
        return x
