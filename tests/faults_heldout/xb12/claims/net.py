import torch
from torch import nn

SIZES = (12, 8, 4, 3)


class FlagNet(nn.Module):
    def __init__(self, dim=3, hidden=16):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(s, dim, sparse=True) for s in SIZES)
        self.mlp = nn.Sequential(nn.Linear(dim * len(SIZES) + 2, hidden), nn.ReLU(), nn.Dropout(0.2), nn.Linear(hidden, 1))
        for t in self.tables:
            nn.init.normal_(t.weight, std=0.3)

    def forward(self, cat, num):
        parts = [t(cat[:, k]) for k, t in enumerate(self.tables)]
        return self.mlp(torch.cat(parts + [num], 1)).squeeze(1)
