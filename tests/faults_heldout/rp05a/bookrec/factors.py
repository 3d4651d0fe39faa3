import torch
from torch import nn


class BiasedFactors(nn.Module):
    def __init__(self, n_users, n_books, rank, offset):
        super().__init__()
        self.user = nn.Embedding(n_users, rank)
        self.book = nn.Embedding(n_books, rank)
        self.user_bias = nn.Embedding(n_users, 1)
        self.book_bias = nn.Embedding(n_books, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.book.weight, std=0.1)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.book_bias.weight)
        self.register_buffer("offset", torch.tensor(float(offset)))

    def forward(self, keys):
        u, b = keys[:, 0], keys[:, 1]
        dot = (self.user(u) * self.book(b)).sum(-1)
        return self.offset + dot + self.user_bias(u)[:, 0] + self.book_bias(b)[:, 0]

    def penalty(self, keys):
        u, b = keys[:, 0], keys[:, 1]
        parts = (self.user(u), self.book(b), self.user_bias(u), self.book_bias(b))
        return sum(p.pow(2).sum(-1).mean() for p in parts)
