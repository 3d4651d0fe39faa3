import torch
from torch import nn


class ChurnNet(nn.Module):
    def __init__(self, n_numeric, cardinalities, hidden, embed_dim, dropout):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(k, embed_dim) for k in cardinalities)
        width = n_numeric + embed_dim * len(cardinalities)
        stack = []
        for h in hidden:
            stack += [nn.Linear(width, h), nn.LayerNorm(h), nn.SiLU(), nn.Dropout(dropout)]
            width = h
        self.stack = nn.Sequential(*stack)
        self.logit = nn.Linear(width, 1)

    def forward(self, num, cat):
        parts = [num] + [emb(cat[:, k]) for k, emb in enumerate(self.embeddings)]
        return self.logit(self.stack(torch.cat(parts, dim=1))).squeeze(1)
