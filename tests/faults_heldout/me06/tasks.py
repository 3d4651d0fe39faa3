import torch


class MarkedSum:
    """Sequences of numbers of which two are marked; target: the sum of the marked ones."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def sample(self, n, length):
        value = torch.rand(n, length, generator=self.gen)
        mark = torch.zeros(n, length)
        half = length // 2
        a = torch.randint(0, half, (n,), generator=self.gen)
        b = torch.randint(half, length, (n,), generator=self.gen)
        rows = torch.arange(n)
        mark[rows, a] = 1.0
        mark[rows, b] = 1.0
        target = value[rows, a] + value[rows, b]
        return torch.stack([value - 0.5, mark], dim=2), target - 1.0
