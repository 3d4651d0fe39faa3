import torch
from torch import nn


class EmbeddingScorer(nn.Module):
    """Second-order factorisation over categorical fields plus a small MLP."""

    def __init__(self, cardinalities, dim=8, hidden=32):
        super().__init__()
        self.tables = [nn.Embedding(c, dim) for c in cardinalities]
        self.biases = [nn.Embedding(c, 1) for c in cardinalities]
        for t in self.tables:
            nn.init.normal_(t.weight, std=0.1)
        for b in self.biases:
            nn.init.zeros_(b.weight)
        self.mlp = nn.Sequential(nn.Linear(dim * len(cardinalities), hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, cats):
        e = torch.stack([t(cats[:, k]) for k, t in enumerate(self.tables)], 1)
        first = sum(b(cats[:, k]).squeeze(1) for k, b in enumerate(self.biases))
        pair = 0.5 * (e.sum(1).pow(2) - e.pow(2).sum(1)).sum(1)
        return first + pair + self.mlp(e.flatten(1)).squeeze(1)
