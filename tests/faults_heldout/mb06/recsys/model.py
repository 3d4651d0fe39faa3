import torch
from torch import nn


class BPR(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim, sparse=True)
        self.item = nn.Embedding(n_items, dim, sparse=True)
        self.bias = nn.Embedding(n_items, 1, sparse=True)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, users, pos, neg):
        u, p, n = self.user(users), self.item(pos), self.item(neg)
        margin = (u * (p - n)).sum(1) + (self.bias(pos) - self.bias(neg)).squeeze(1)
        penalty = (u ** 2 + p ** 2 + n ** 2).sum(1).mean()
        return margin, penalty

    def all_scores(self):
        return self.user.weight @ self.item.weight.T + self.bias.weight.T
