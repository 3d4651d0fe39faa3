import torch
from torch import nn


class ChurnNet(nn.Module):
    def __init__(self, cardinalities, n_numbers, hidden, dropout):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(n, 4) for n in cardinalities)
        width = 4 * len(cardinalities) + n_numbers
        self.mlp = nn.Sequential(
            nn.Linear(width, hidden), nn.SiLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.SiLU(), nn.Dropout(dropout),
            nn.Linear(hidden, 1),
        )

    def forward(self, codes, numbers):
        parts = [table(codes[:, i]) for i, table in enumerate(self.tables)]
        return self.mlp(torch.cat([*parts, numbers], dim=1)).squeeze(1)
