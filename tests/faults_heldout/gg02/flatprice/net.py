import torch
from torch import nn


class PriceNet(nn.Module):
    def __init__(self, cardinalities, n_numeric, hidden, emb_dim, dropout):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(c, emb_dim) for c in cardinalities)
        layers, width = [], emb_dim * len(cardinalities) + n_numeric
        for h in hidden:
            layers += [nn.Linear(width, h), nn.SiLU(), nn.Dropout(dropout)]
            width = h
        self.trunk = nn.Sequential(*layers)
        self.out = nn.Linear(width, 1)
        for e in self.embeddings:
            nn.init.normal_(e.weight, std=0.3)

    def forward(self, cat, num):
        e = [emb(cat[:, i]) for i, emb in enumerate(self.embeddings)]
        return self.out(self.trunk(torch.cat([*e, num], dim=1))).squeeze(1)
