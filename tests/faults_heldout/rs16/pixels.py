import torch
from sklearn.datasets import load_digits


def splits(seed=3):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 8.0 - 1.0
    y = torch.tensor(d.target)
    perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    tr, va, te = perm[:1200], perm[1200:1500], perm[1500:]
    return (x[tr], y[tr]), (x[va], y[va]), (x[te], y[te])


def jitter(x):
    """Shift every image by at most one pixel in each direction."""
    p = torch.nn.functional.pad(x, (1, 1, 1, 1), value=-1.0)
    dx, dy = torch.randint(0, 3, (2, len(x))).unbind(0)
    rows = (torch.arange(8)[None] + dy[:, None])[:, :, None]
    cols = (torch.arange(8)[None] + dx[:, None])[:, None, :]
    return p[torch.arange(len(x))[:, None, None], 0, rows, cols].unsqueeze(1)
