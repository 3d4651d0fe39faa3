import torch
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, users, items, dim=24):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.item_bias = nn.Embedding(items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.item_bias(i).squeeze(-1)

    @torch.no_grad()
    def score_all(self, u):
        return self.user(u) @ self.item.weight.T + self.item_bias.weight.T
