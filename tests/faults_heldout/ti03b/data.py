import torch

# event codes of a till: 0 idle, 1 open, 2 scan, 3 void, 4 pay, 5 close, 6-11 other
N_CODES = 12


def till_log(n, length, generator):
    """Label 1: the last void comes after the last payment."""
    x = torch.randint(6, N_CODES, (n, length), generator=generator)
    pos = torch.stack([torch.randperm(length, generator=generator)[:6] for _ in range(n)])
    x.scatter_(1, pos[:, 0:2], 3)
    x.scatter_(1, pos[:, 2:4], 4)
    x.scatter_(1, pos[:, 4:6], 2)
    y = (pos[:, 0:2].max(1).values > pos[:, 2:4].max(1).values).float()
    return x, y
