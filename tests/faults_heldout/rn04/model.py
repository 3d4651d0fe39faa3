import torch
from torch import nn


class MatrixFactorization(nn.Module):
    def __init__(self, n_users, n_items, rank=8, mean=0.0):
        super().__init__()
        self.user = nn.Embedding(n_users, rank)
        self.item = nn.Embedding(n_items, rank)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.mean = mean
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.15)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1)

    def expanded(self, n_users, n_items):
        """Same weights, room for ids that appeared after the first load."""
        new = MatrixFactorization(n_users, n_items, self.user.embedding_dim, self.mean)
        with torch.no_grad():
            for a, b in zip(new.children(), self.children()):
                a.weight[: b.num_embeddings].copy_(b.weight)
        return new
