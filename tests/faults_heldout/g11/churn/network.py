import torch
from torch import nn


class ChurnNet(nn.Module):
    def __init__(self, cat_sizes, n_num, hidden=48, dropout=0.2):
        super().__init__()
        dims = [min(12, (s + 1) // 2) for s in cat_sizes]
        self.tables = nn.ModuleList(nn.Embedding(s, d) for s, d in zip(cat_sizes, dims))
        self.body = nn.Sequential(
            nn.Linear(sum(dims) + n_num, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden // 2), nn.ReLU(),
            nn.Linear(hidden // 2, 1),
        )

    def forward(self, cat, num):
        parts = [t(cat[:, i]) for i, t in enumerate(self.tables)]
        return self.body(torch.cat(parts + [num], dim=1)).squeeze(1)
