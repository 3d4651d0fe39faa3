import torch
import torch.nn as nn


class HybridRecommender(nn.Module):
    """Factorisation part on ids plus a small tower on item genres."""

    def __init__(self, n_users, n_items, n_genres, rank, mean):
        super().__init__()
        self.user_vec = nn.Embedding(n_users, rank)
        self.item_vec = nn.Embedding(n_items, rank)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.tower = nn.Sequential(nn.Linear(n_genres, 16), nn.ReLU(), nn.Linear(16, rank))
        self.register_buffer("mean", torch.tensor(mean))
        for t in (self.user_vec, self.item_vec):
            nn.init.normal_(t.weight, std=0.1)
        for t in (self.user_bias, self.item_bias):
            nn.init.zeros_(t.weight)

    def tables(self):
        return [t.weight for t in (self.user_vec, self.item_vec, self.user_bias, self.item_bias)]

    def forward(self, user, item, genre):
        v = self.item_vec(item) + self.tower(genre)
        dot = (self.user_vec(user) * v).sum(1)
        return self.mean + self.user_bias(user).squeeze(1) + self.item_bias(item).squeeze(1) + dot
