import torch
from torch import nn


class RecipeRanker(nn.Module):
    """Dot product of member and recipe factors plus a small interaction MLP."""

    def __init__(self, n_users, n_items, dim=8, hidden=32):
        super().__init__()
        self.user_emb = nn.Embedding(n_users, dim)
        self.item_emb = nn.Embedding(n_items, dim)
        for e in (self.user_emb, self.item_emb):
            nn.init.normal_(e.weight, std=0.3)
        self.mlp = nn.Sequential(nn.Linear(2 * dim, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, 1))
        self.offset = nn.Parameter(torch.tensor(3.0))

    def forward(self, users, items):
        u, v = self.user_emb(users), self.item_emb(items)
        return self.offset + (u * v).sum(-1) + self.mlp(torch.cat([u, v], -1)).squeeze(-1)
