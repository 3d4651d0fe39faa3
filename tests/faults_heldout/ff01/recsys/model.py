import torch
from torch import nn


class RatingModel(nn.Module):
    """Factorisation with a content branch: mean + biases + <user, item + genre projection>."""

    def __init__(self, n_users, genres, dim=12, hidden=24, mean=0.0):
        super().__init__()
        n_items, n_genres = genres.shape
        self.user_emb = nn.Embedding(n_users, dim)
        self.item_emb = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.content = nn.Sequential(
            nn.Linear(n_genres, hidden), nn.LayerNorm(hidden), nn.ReLU(), nn.Linear(hidden, dim)
        )
        self.content_bias = nn.Linear(n_genres, 1)
        self.register_buffer("genres", genres)
        self.register_buffer("mean", torch.tensor(float(mean)))
        for emb in (self.user_emb, self.item_emb):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, u, i):
        g = self.genres[i]
        item = self.item_emb(i) + self.content(g)
        dot = (self.user_emb(u) * item).sum(-1)
        bias = self.user_bias(u) + self.item_bias(i) + self.content_bias(g)
        return self.mean + dot + bias.squeeze(-1)
