import torch
from torch import nn


class PowerCurve(nn.Module):
    """Fleet model: wind and weather readings to output in units of rated power."""

    def __init__(self, n_in=10, width=64):
        super().__init__()
        self.l1 = nn.Linear(n_in, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.nn.functional.silu(self.l1(x))
        h = torch.nn.functional.silu(self.l2(h))
        h = torch.nn.functional.silu(self.l3(h))
        return self.head(h).squeeze(-1)


class Adapted(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        for p in base.parameters():
            p.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features ** 0.5)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.gain = alpha / rank

    def forward(self, x):
        return self.base(x) + self.gain * (x @ self.down.T) @ self.up.T


def adapt(model, names, rank, alpha):
    for name in names:
        setattr(model, name, Adapted(getattr(model, name), rank, alpha))
    return model
