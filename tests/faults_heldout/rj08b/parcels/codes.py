import json

import torch
from torch import nn


class CodeBook(nn.Module):
    """One vector per depot code; codes that are not listed get theirs on first use."""

    def __init__(self, listed, dim):
        super().__init__()
        self.dim = dim
        self.listed = nn.ParameterDict({code: self._fresh() for code in listed})
        self.added = {}

    @classmethod
    def from_file(cls, path, dim):
        with open(path) as fh:
            return cls(json.load(fh)["depots"], dim)

    def _fresh(self):
        return nn.Parameter(torch.randn(self.dim) * 0.3)

    def vector(self, code):
        if code in self.listed:
            return self.listed[code]
        if code not in self.added:
            self.added[code] = self._fresh()
        return self.added[code]

    def forward(self, codes):
        names = sorted(set(codes))
        row = {name: k for k, name in enumerate(names)}
        matrix = torch.stack([self.vector(name) for name in names])
        return matrix[torch.tensor([row[c] for c in codes])]
