import torch
from torch import nn


class BiasedFactors(nn.Module):
    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.user, self.item = nn.Embedding(n_users, rank), nn.Embedding(n_items, rank)
        self.user_bias, self.item_bias = nn.Embedding(n_users, 1), nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(float(mean)))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        pu, qi = self.user(u), self.item(i)
        bias = self.user_bias(u) + self.item_bias(i)
        penalty = pu.pow(2).sum(-1) + qi.pow(2).sum(-1)
        return self.mean + bias.squeeze(-1) + (pu * qi).sum(-1), penalty
