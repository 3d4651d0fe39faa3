import torch
from torch import nn


class Ranker(nn.Module):
    """Biased matrix factorisation with a small correction network."""

    def __init__(self, n_users, n_items, factors):
        super().__init__()
        self.user = nn.Embedding(n_users, factors)
        self.item = nn.Embedding(n_items, factors)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.offset = nn.Parameter(torch.tensor(3.0))
        self.correction = nn.Sequential(nn.Linear(2 * factors, 32), nn.GELU(), nn.Linear(32, 1))
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, user, item):
        u, v = self.user(user), self.item(item)
        score = (u * v).sum(-1) + self.user_bias(user).squeeze(-1) + self.item_bias(item).squeeze(-1)
        return self.offset + score + self.correction(torch.cat([u, v], dim=-1)).squeeze(-1)
