import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from mae import patchify


def load(seed=0):
    d = load_digits()
    xtr, xte, ytr, yte = train_test_split(d.images / 16.0, d.target, test_size=0.25,
                                          random_state=seed, stratify=d.target)
    mu, sd = xtr.mean(), xtr.std()
    f = lambda a: patchify(torch.tensor((a - mu) / sd, dtype=torch.float32))
    return f(xtr), torch.tensor(ytr), f(xte), torch.tensor(yte)
