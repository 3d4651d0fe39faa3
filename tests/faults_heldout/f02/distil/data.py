import torch

VOCAB, LEN, CLASSES = 32, 20, 6


def make(n, seed):
    """Event sequences; the label is the relation between the two marked events."""
    g = torch.Generator().manual_seed(seed)
    x = torch.randint(4, VOCAB, (n, LEN), generator=g)
    pos = torch.rand(n, LEN - 1, generator=g).argsort(1)[:, :2].sort(1).values
    rows = torch.arange(n)
    a, b = x[rows, pos[:, 0]] , x[rows, pos[:, 1]]
    # markers overwrite the last slots: which positions to look at
    x = torch.stack([x, torch.zeros_like(x)], -1)
    x[rows, pos[:, 0], 1] = 1
    x[rows, pos[:, 1], 1] = 2
    y = (a % 3) + 3 * ((b - 4) // 14 == 1).long()
    return x, y
