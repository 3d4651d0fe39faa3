import torch
from torch import nn


class Tower(nn.Module):
    """Maps an id to a vector in the shared space."""

    def __init__(self, n_ids: int, dim: int, out_dim: int):
        super().__init__()
        self.table = nn.Embedding(n_ids, dim)
        nn.init.normal_(self.table.weight, std=0.3)
        self.proj = nn.Sequential(nn.Linear(dim, out_dim), nn.LayerNorm(out_dim))

    def forward(self, ids):
        return self.proj(self.table(ids))


class RatingModel(nn.Module):
    def __init__(self, n_users: int, n_items: int, dim: int = 12, hidden: int = 32, mean: float = 3.0):
        super().__init__()
        self.user_tower = Tower(n_users, dim, dim)
        self.item_tower = Tower(n_items, dim, dim)
        self.head = nn.Sequential(nn.Linear(3 * dim, hidden), nn.GELU(), nn.Dropout(0.1), nn.Linear(hidden, 1))
        self.register_buffer("mean", torch.tensor(mean))

    def forward(self, users, items):
        u, i = self.user_tower(users), self.item_tower(items)
        z = torch.cat([u, i, u * i], dim=-1)
        return self.mean + self.head(z).squeeze(-1)
