import torch
from torch import nn


class PriceModel(nn.Module):
    """Entity embeddings followed by an MLP."""

    def __init__(self, sizes, n_num, hidden=64):
        super().__init__()
        self.columns = list(sizes)
        self.tables = {}
        width = n_num
        for name, size in sizes.items():
            dim = min(12, max(2, round(size ** 0.5)))
            table = nn.Embedding(size, dim)
            nn.init.normal_(table.weight, std=0.05)
            self.tables[name] = table
            width += dim
        self.mlp = nn.Sequential(
            nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1)
        )

    def forward(self, cat, num):
        parts = [self.tables[c](cat[:, k]) for k, c in enumerate(self.columns)]
        return self.mlp(torch.cat(parts + [num], dim=1)).squeeze(1)
