import torch
from torch import nn


class RatingModel(nn.Module):
    """Biased matrix factorisation plus a small net on the side information."""

    def __init__(self, n_users, n_items, n_ages, n_genres, dim=12, hidden=32, mean=0.0):
        super().__init__()
        self.user_factors = nn.Embedding(n_users, dim)
        self.item_factors = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.side_age = nn.Embedding(n_ages, 6)
        self.side_genre = nn.Embedding(n_genres, 6)
        self.side_net = nn.Sequential(nn.Linear(12, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.register_buffer("mean", torch.tensor(float(mean)))
        for emb in (self.user_factors, self.item_factors):
            nn.init.normal_(emb.weight, std=0.15)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, u, i, age, genre):
        dot = (self.user_factors(u) * self.item_factors(i)).sum(-1)
        side = self.side_net(torch.cat([self.side_age(age), self.side_genre(genre)], -1)).squeeze(-1)
        return self.mean + dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + side
