import torch
from torch import nn


class NeuralCF(nn.Module):
    """Factorised preference score: user x item product plus biases, refined by a small MLP."""

    def __init__(self, n_users, n_items, dim=16, hidden=64):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        nn.init.normal_(self.user.weight, std=0.3)
        nn.init.normal_(self.item.weight, std=0.3)
        self.norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Dropout(0.2), nn.Linear(hidden, 1))
        self.skip = nn.Linear(dim, 1)

    def forward(self, users, items):
        z = self.user(users) * self.item(items)
        return (self.skip(z) + self.mlp(self.norm(z))).squeeze(-1)
