import torch
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, n_users, n_books, dim, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.book = nn.Embedding(n_books, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.book_bias = nn.Embedding(n_books, 1)
        for e in (self.user, self.book):
            nn.init.normal_(e.weight, std=0.3)
        for e in (self.user_bias, self.book_bias):
            nn.init.zeros_(e.weight)
        self.mix = nn.Sequential(nn.Linear(3 * dim, 32), nn.Tanh(), nn.Linear(32, 1))
        self.register_buffer("mean", torch.tensor(mean))

    def forward(self, u, b):
        pu, qb = self.user(u), self.book(b)
        h = torch.cat([pu, qb, pu * qb], dim=1)
        return self.mean + (self.user_bias(u) + self.book_bias(b) + self.mix(h)).squeeze(1)
