import torch
from torch import nn

from .attention import Layer


class Lookup(nn.Module):
    """Seven key/value pairs and a query key at the end; returns the value of that key."""

    def __init__(self, keys=10, values=8, length=8, dim=32, heads=4, depth=2):
        super().__init__()
        self.key = nn.Embedding(keys, dim)
        self.val = nn.Embedding(values + 1, dim)  # last one: blank, for the query
        self.pos = nn.Parameter(torch.randn(length, dim) * 0.1)
        self.layers = nn.Sequential(*[Layer(dim, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, values)

    def forward(self, keys, vals):
        h = self.layers(self.key(keys) + self.val(vals) + self.pos)
        return self.out(self.norm(h[:, -1]))
