"""Rating model: factorisation with biases and a small interaction tower."""
import torch
from torch import nn


class RatingNet(nn.Module):
    def __init__(self, n_users, n_items, n_genres, dim, hidden, mean):
        super().__init__()
        self.user_emb = nn.Embedding(n_users, dim)
        self.item_emb = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.genre = nn.Linear(n_genres, dim, bias=False)
        self.tower = nn.Sequential(nn.Linear(2 * dim, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        for e in (self.user_emb, self.item_emb):
            nn.init.normal_(e.weight, std=0.3)
        for b in (self.user_bias, self.item_bias):
            nn.init.zeros_(b.weight)
        self.register_buffer("mean", torch.tensor(float(mean)))

    def forward(self, *, user, item, genres):
        u = self.user_emb(user)
        v = self.item_emb(item) + self.genre(genres)
        score = (u * v).sum(-1) + self.tower(torch.cat([u, v], -1)).squeeze(-1)
        score = score + self.user_bias(user).squeeze(-1) + self.item_bias(item).squeeze(-1)
        return score + self.mean


def build_optimizer(model, groups, default):
    named = list(model.named_parameters())
    param_groups = []
    for g in groups:
        opts = {k: v for k, v in g.items() if k != "prefix"}
        chosen = [p for n, p in named if n.startswith(tuple(g["prefix"]))]
        if chosen:
            param_groups.append({"params": chosen, **opts})
    return torch.optim.AdamW(param_groups, **default)
