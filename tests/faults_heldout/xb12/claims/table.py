import numpy as np
import torch


def read(path):
    rows = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    cat = torch.from_numpy(rows[:, :4])
    num = torch.log1p(torch.from_numpy(rows[:, 4:6]).float())
    return cat, num, torch.from_numpy(rows[:, 6]).float()


def split(n, y, frac, gen):
    """Stratified split."""
    parts = ([], [])
    for c in (0, 1):
        idx = (y == c).nonzero().squeeze(1)
        idx = idx[torch.randperm(len(idx), generator=gen)]
        k = int(len(idx) * frac)
        parts[0].append(idx[k:])
        parts[1].append(idx[:k])
    return torch.cat(parts[0]), torch.cat(parts[1])


def rounds(y, per_class, gen):
    """All ordinary rows once per epoch, flagged rows re-drawn: `per_class` of each in every batch."""
    pos, neg = (y == 1).nonzero().squeeze(1), (y == 0).nonzero().squeeze(1)
    neg = neg[torch.randperm(len(neg), generator=gen)]
    for k in range(0, len(neg) - per_class + 1, per_class):
        again = pos[torch.randint(len(pos), (per_class,), generator=gen)]
        yield torch.cat([neg[k:k + per_class], again])
