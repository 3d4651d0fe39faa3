import torch
from torch import nn

CARDINALITY = {"hour": 24, "weekday": 7, "month": 12}


class DemandNet(nn.Module):
    """Entity embeddings for the calendar plus an MLP over everything."""

    def __init__(self, n_numeric, embed_dim, hidden):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(n, embed_dim) for n in CARDINALITY.values())
        width = n_numeric + embed_dim * len(CARDINALITY)
        layers = []
        for h in hidden:
            layers += [nn.Linear(width, h), nn.ReLU()]
            width = h
        layers.append(nn.Linear(width, 1))
        self.mlp = nn.Sequential(*layers)

    def forward(self, cat, num):
        parts = [emb(cat[:, i]) for i, emb in enumerate(self.embeddings)]
        return self.mlp(torch.cat(parts + [num], dim=1)).squeeze(1)
