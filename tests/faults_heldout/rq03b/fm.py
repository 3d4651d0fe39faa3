import numpy as np
import torch
from torch import nn


class FactorizationMachine(nn.Module):
    """Second order FM with one factor table per field."""

    def __init__(self, cards, rank):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(()))
        self.weights = nn.ModuleDict({f"f{i}": nn.Embedding(c, 1) for i, c in enumerate(cards)})
        self.tables = nn.ModuleDict({f"f{i}": nn.Embedding(c, rank) for i, c in enumerate(cards)})
        for e in self.weights.values():
            nn.init.zeros_(e.weight)
        for e in self.tables.values():
            nn.init.normal_(e.weight, std=0.05)

    def install(self, field, path):
        table = torch.from_numpy(np.load(path))
        with torch.no_grad():
            self.tables[field].weight.copy_(table)

    def freeze(self, prefixes):
        for name, p in self.named_parameters():
            if any(name.startswith(s) for s in prefixes):
                p.requires_grad_(False)

    def forward(self, x):
        first = sum(e(x[:, i]) for i, e in enumerate(self.weights.values())).squeeze(-1)
        v = torch.stack([e(x[:, i]) for i, e in enumerate(self.tables.values())], dim=1)
        second = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(-1)
        return self.bias + first + second
