import torch


def jitter(x, sigma=0.05):
    return x + sigma * torch.randn_like(x)


def scale(x, low=0.85, high=1.15):
    return x * torch.empty(1).uniform_(low, high)


def shift(x, most=8):
    return torch.roll(x, int(torch.randint(-most, most + 1, (1,))), dims=-1)


def mirror(x):
    """phone mounted the other way round: yaw rate and lateral acceleration change sign"""
    flip = torch.tensor([-1.0, -1.0, 1.0])
    return x * flip[:, None]


ALL = {f.__name__: f for f in (jitter, scale, shift, mirror)}


class Pipeline:
    def __init__(self, names, probability):
        self.steps = [ALL[n] for n in names]
        self.probability = probability

    def __call__(self, x):
        for step in self.steps:
            if torch.rand(1).item() < self.probability:
                x = step(x)
        return x
