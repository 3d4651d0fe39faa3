import torch
from torch import nn


class Factors(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim, sparse=True)
        self.item = nn.Embedding(items, dim, sparse=True)
        self.bias = nn.Embedding(items, 1, sparse=True)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        """u: (B,), i: (B, K) -> scores (B, K) and the rows that were used"""
        p, q, b = self.user(u), self.item(i), self.bias(i).squeeze(-1)
        return torch.einsum("bd,bkd->bk", p, q) + b, (p, q, b)

    @torch.no_grad()
    def all_scores(self):
        return self.user.weight @ self.item.weight.t() + self.bias.weight.t()
