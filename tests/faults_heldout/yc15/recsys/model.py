import torch
import torch.nn as nn


class MatrixFactorization(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.user, self.item = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.bias = nn.Embedding(items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def all_scores(self, u):
        return self.user(u) @ self.item.weight.T + self.bias.weight.T

    def penalty(self, u, *items):
        used = [self.user(u).pow(2).sum(-1).mean()] + [self.item(i).pow(2).sum(-1).mean() for i in items]
        return torch.stack(used).sum()
