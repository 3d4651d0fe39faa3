import torch
from torch import nn


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.u = nn.Embedding(n_users, rank)
        self.v = nn.Embedding(n_items, rank)
        self.bu = nn.Embedding(n_users, 1)
        self.bv = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(float(mean)))
        for e in (self.u, self.v):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bv):
            nn.init.zeros_(e.weight)

    def forward(self, user, item):
        dot = (self.u(user) * self.v(item)).sum(-1)
        return self.mean + self.bu(user).squeeze(-1) + self.bv(item).squeeze(-1) + dot

    def penalty(self, user, item):
        return self.u(user).pow(2).sum(-1).mean() + self.v(item).pow(2).sum(-1).mean()
