import torch
import torch.nn as nn


class RatingModel(nn.Module):
    """Matrix factorisation with biases and a small correction network."""

    def __init__(self, users, items, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.user_bias = nn.Embedding(users, 1)
        self.item_bias = nn.Embedding(items, 1)
        self.offset = nn.Parameter(torch.zeros(()))
        self.mix = nn.Sequential(nn.Linear(2 * dim, 32), nn.ReLU(), nn.Linear(32, 1))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.25)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        pu, qi = self.user(u), self.item(i)
        out = (pu * qi).sum(1) + self.user_bias(u).squeeze(1) + self.item_bias(i).squeeze(1)
        return self.offset + out + self.mix(torch.cat([pu, qi], 1)).squeeze(1)
