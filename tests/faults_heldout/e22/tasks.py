import torch


def adding(n, length, gen):
    """Two marked values in a noisy sequence; the target is their sum."""
    v = torch.rand(n, length, generator=gen)
    first = torch.randint(0, length // 2, (n,), generator=gen)
    second = torch.randint(length // 2, length, (n,), generator=gen)
    m = torch.zeros(n, length)
    m[torch.arange(n), first] = 1
    m[torch.arange(n), second] = 1
    y = (v * m).sum(1)
    return torch.stack([v - 0.5, m], 2), y - 1.0
