import torch
from torch import nn


class BiasedMF(nn.Module):
    """Matrix factorisation with user and item biases (Koren et al.)."""

    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.p = nn.Embedding(n_users, rank)
        self.q = nn.Embedding(n_items, rank)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.register_buffer("mu", torch.as_tensor(mean))
        nn.init.normal_(self.p.weight, std=0.1)
        nn.init.normal_(self.q.weight, std=0.1)
        nn.init.zeros_(self.bu.weight)
        nn.init.zeros_(self.bi.weight)

    def forward(self, user, item):
        pu, qi = self.p(user), self.q(item)
        bias = self.bu(user) + self.bi(item)
        return self.mu + bias.squeeze(-1) + (pu * qi).sum(-1)

    def penalty(self, user, item):
        return sum(e(k).pow(2).sum(-1).mean() for e, k in ((self.p, user), (self.q, item), (self.bu, user), (self.bi, item)))
