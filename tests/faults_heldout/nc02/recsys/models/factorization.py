import torch
import torch.nn as nn

from ..registry import MODELS


@MODELS.register("mf")
class MatrixFactorization(nn.Module):
    def __init__(self, n_users, n_items, dim, init_std=0.05):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.item_bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, std=init_std)
        nn.init.normal_(self.item.weight, std=init_std)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, users, items):
        """users (B,), items (B, K) -> scores (B, K)"""
        u = self.user(users).unsqueeze(1)
        return (u * self.item(items)).sum(-1) + self.item_bias(items).squeeze(-1)

    def penalty(self, users, items):
        return self.user(users).pow(2).sum(-1).mean() + self.item(items).pow(2).sum(-1).mean()

    @torch.no_grad()
    def score_all(self, users):
        return self.user(users) @ self.item.weight.T + self.item_bias.weight.squeeze(-1)
