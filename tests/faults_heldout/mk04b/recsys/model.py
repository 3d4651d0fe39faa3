import torch
from torch import nn


class FactorModel(nn.Module):
    """Biased matrix factorisation."""

    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, rank)
        self.item = nn.Embedding(n_items, rank)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, ids):
        u, i = ids.unbind(1)
        dot = (self.user(u) * self.item(i)).sum(1)
        return self.mean + dot + self.user_bias(u).squeeze(1) + self.item_bias(i).squeeze(1)
