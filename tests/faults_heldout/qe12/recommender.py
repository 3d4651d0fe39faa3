import torch
import torch.nn as nn


class Factors(nn.Module):
    def __init__(self, users, items, dim, mean):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.user_bias = nn.Embedding(users, 1)
        self.item_bias = nn.Embedding(items, 1)
        self.mean = mean
        for table in (self.user, self.item):
            nn.init.normal_(table.weight, std=0.5)
        for table in (self.user_bias, self.item_bias):
            nn.init.zeros_(table.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(1)
        return self.mean + dot + self.user_bias(u).squeeze(1) + self.item_bias(i).squeeze(1)
