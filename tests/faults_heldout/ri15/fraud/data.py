import csv

import numpy as np
import torch


def read(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))[1:]
    a = np.array(rows, dtype=np.float32)
    return a[:, :-1], a[:, -1].astype(np.int64)


def balance(x, y, rng):
    """Repeat rows of the rare class until both classes are equally frequent."""
    rare = np.flatnonzero(y == 1)
    extra = rng.choice(rare, size=(y == 0).sum() - len(rare), replace=True)
    idx = np.concatenate([np.arange(len(y)), extra])
    return x[idx], y[idx]


def split(x, y, share, rng):
    p = rng.permutation(len(y))
    n = int(share * len(y))
    return (x[p[n:]], y[p[n:]]), (x[p[:n]], y[p[:n]])


def prepare(path, share, seed):
    rng = np.random.default_rng(seed)
    x, y = read(path)
    x, y = balance(x, y, rng)
    (xt, yt), (xv, yv) = split(x, y, share, rng)
    mu, sd = xt.mean(0), xt.std(0)
    to = torch.from_numpy
    return to((xt - mu) / sd), to(yt), to((xv - mu) / sd), to(yv)
