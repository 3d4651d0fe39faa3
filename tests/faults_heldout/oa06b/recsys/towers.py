import torch
from torch import nn


class ItemTower(nn.Module):
    def __init__(self, n_items, dim):
        super().__init__()
        self.table = nn.Embedding(n_items, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, items):
        return self.norm(self.table(items))


class UserTower(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, history):
        return self.mlp(history.mean(dim=1))


class TwoTower(nn.Module):
    def __init__(self, n_items, dim=24, hidden=64):
        super().__init__()
        self.item_tower = ItemTower(n_items, dim)
        self.user_tower = UserTower(dim, hidden)

    def user(self, history):
        return self.user_tower(self.item_tower(history))

    def scores(self, history):
        every = torch.arange(self.item_tower.table.num_embeddings)
        return self.user(history) @ self.item_tower(every).T

    def forward(self, history, *candidates):
        u = self.user(history)
        return [(u * self.item_tower(c)).sum(-1) for c in candidates]


def warm_start(model, path):
    """Start from the co-view job; its own head is not needed here and the user tower is new."""
    state = torch.load(path, map_location="cpu")["model"]
    model.load_state_dict(state, strict=False)
    model.item_tower.requires_grad_(False)
    return model
