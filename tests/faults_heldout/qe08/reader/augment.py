import torch
import torch.nn.functional as F


def shift(x):
    """Moves each image by at most one pixel in each direction."""
    n, _, h, w = x.shape
    p = F.pad(x, (1, 1, 1, 1))
    dy = torch.randint(0, 3, (n,))
    dx = torch.randint(0, 3, (n,))
    return torch.stack([p[i, :, a:a + h, b:b + w] for i, (a, b) in enumerate(zip(dy.tolist(), dx.tolist()))])


def erase(x, size=2):
    n, _, h, w = x.shape
    x = x.clone()
    for i in range(n):
        a = int(torch.randint(0, h - size + 1, (1,)))
        b = int(torch.randint(0, w - size + 1, (1,)))
        x[i, :, a:a + size, b:b + size] = 0
    return x


def contrast(x, low=0.6, high=1.4):
    g = torch.empty(len(x), 1, 1, 1).uniform_(low, high)
    return x * g


def train_transform(x):
    x = contrast(erase(shift(x)))
    return x + 0.15 * torch.randn_like(x)
