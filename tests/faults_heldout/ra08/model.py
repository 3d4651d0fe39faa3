import torch
from torch import nn


class ItemTower(nn.Module):
    def __init__(self, n_items, dim):
        super().__init__()
        self.table = nn.Embedding(n_items, dim)
        self.bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.table.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, i):
        return self.table(i), self.bias(i).squeeze(-1)


class UserTower(nn.Module):
    def __init__(self, n_users, dim):
        super().__init__()
        self.table = nn.Embedding(n_users, dim)
        self.mix = nn.Linear(dim, dim)
        nn.init.normal_(self.table.weight, std=0.1)

    def forward(self, u):
        return self.mix(self.table(u))


class TwoTower(nn.Module):
    def __init__(self, n_users, n_items, dim=12):
        super().__init__()
        self.user = UserTower(n_users, dim)
        self.item = ItemTower(n_items, dim)
        self.mu = nn.Parameter(torch.zeros(()))

    def forward(self, u, i):
        vec, b = self.item(i)
        return (self.user(u) * vec).sum(-1) + b + self.mu
