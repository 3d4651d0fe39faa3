import torch
from torch import nn


class Factorizer(nn.Module):
    def __init__(self, n_users, n_items, dim=8, mean=0.0):
        super().__init__()
        self.user, self.item = nn.Embedding(n_users, dim), nn.Embedding(n_items, dim)
        self.user_bias, self.item_bias = nn.Embedding(n_users, 1), nn.Embedding(n_items, 1)
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.5)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)
        self.register_buffer("mean", torch.tensor(float(mean)))

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + dot
