import torch
from torch import nn


class HybridRecommender(nn.Module):
    """Dot product of user and item factors plus biases and a small MLP term."""

    def __init__(self, n_users, n_items, factors, hidden, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, factors)
        self.item = nn.Embedding(n_items, factors)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)
        self.mlp = nn.Sequential(nn.Linear(2 * factors, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.register_buffer("mean", torch.as_tensor(mean))

    def forward(self, u, i):
        p, q = self.user(u), self.item(i)
        bias = self.user_bias(u) + self.item_bias(i)
        return self.mean + (p * q).sum(1) + (bias + self.mlp(torch.cat([p, q], 1))).squeeze(1)
