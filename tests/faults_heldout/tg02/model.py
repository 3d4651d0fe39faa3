import torch
from torch import nn


class ResidualMLP(nn.Module):
    def __init__(self, n_in, width, depth):
        super().__init__()
        self.inp = nn.Linear(n_in, width)
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.nn.functional.silu(self.inp(x))
        for layer in self.layers:
            h = h + torch.nn.functional.silu(layer(h))
        return self.out(h).squeeze(-1)
