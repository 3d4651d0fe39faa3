import torch
import torch.nn as nn


class FeatureNet(nn.Module):
    def __init__(self, n_numeric, cardinalities, width=32, p=0.2):
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(c, 3) for c in cardinalities])
        n_in = n_numeric + 3 * len(cardinalities)
        self.mlp = nn.Sequential(
            nn.Linear(n_in, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(p),
            nn.Linear(width, width), nn.ReLU(), nn.Dropout(p),
            nn.Linear(width, 1),
        )

    def forward(self, num, cat):
        parts = [num] + [t(cat[:, j]) for j, t in enumerate(self.tables)]
        return self.mlp(torch.cat(parts, 1)).squeeze(1)
