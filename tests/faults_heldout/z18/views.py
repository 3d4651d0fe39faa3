import torch
from sklearn.datasets import load_digits


class Scaler:
    """Per-pixel standardisation with statistics of the training images."""

    def fit(self, x):
        self.mean, self.std = x.mean(0), x.std(0) + 0.5
        return self

    def apply(self, x):
        x -= self.mean
        x /= self.std
        return x


class TwoViews:
    """Pixel dropout + contrast + noise, drawn twice per image."""

    def __init__(self, drop=0.3, noise=0.3):
        self.drop, self.noise = drop, noise

    def one(self, x):
        gain = 1.0 + 0.4 * (torch.rand(len(x), 1) - 0.5)
        img = gain * x * (torch.rand_like(x) > self.drop)
        return img + self.noise * torch.randn_like(img)

    def __call__(self, x):
        return self.one(x), self.one(x)


def images(seed=0, n_train=1300):
    d = load_digits()
    x, y = torch.tensor(d.data, dtype=torch.float32), torch.tensor(d.target)
    p = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    return (x[p[:n_train]], y[p[:n_train]]), (x[p[n_train:]], y[p[n_train:]])
