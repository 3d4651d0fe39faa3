import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def load(n_labelled=100, seed=4):
    """Digits split into a small labelled pool, a large unlabelled pool, and a test set."""
    x, y = load_digits(return_X_y=True)
    x = (x / 16.0).astype(np.float32).reshape(-1, 1, 8, 8)
    xp, xt, yp, yt = train_test_split(x, y, test_size=400, stratify=y, random_state=seed)
    xl, xu, yl, _ = train_test_split(xp, yp, train_size=n_labelled, stratify=yp, random_state=seed)
    as_t = torch.from_numpy
    return (as_t(xl), as_t(yl)), as_t(xu), (as_t(xt), as_t(yt))


def jitter(x, gen):
    """Shift by at most one pixel and add pixel noise."""
    n = x.size(0)
    pad = torch.nn.functional.pad(x, (1, 1, 1, 1))
    dx = torch.randint(0, 3, (n,), generator=gen)
    dy = torch.randint(0, 3, (n,), generator=gen)
    r = torch.arange(8)
    rows = (dy[:, None] + r)[:, :, None]
    cols = (dx[:, None] + r)[:, None, :]
    out = pad[torch.arange(n)[:, None, None], 0, rows, cols][:, None]
    return out + 0.08 * torch.randn(out.shape, generator=gen)
