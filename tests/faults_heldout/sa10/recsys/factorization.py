import torch
from torch import nn


class BiasedMF(nn.Module):
    """Matrix factorisation with biases and a penalty on the drift of the average item vector."""

    def __init__(self, n_users, n_items, dim, mean, centre_weight=0.1, centre_momentum=0.98):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        for table in (self.user, self.item):
            nn.init.normal_(table.weight, std=0.1)
        for table in (self.user_bias, self.item_bias):
            nn.init.zeros_(table.weight)
        self.mean = mean
        self.centre_weight = centre_weight
        self.centre_momentum = centre_momentum
        self.centre = torch.zeros(dim)

    def forward(self, users, items):
        dot = (self.user(users) * self.item(items)).sum(-1)
        bias = self.user_bias(users).squeeze(-1) + self.item_bias(items).squeeze(-1)
        return self.mean + bias + dot

    def penalty(self, items):
        batch_mean = self.item(items).mean(dim=0)
        m = self.centre_momentum
        self.centre = m * self.centre + (1 - m) * batch_mean
        return self.centre_weight * self.centre.pow(2).sum()
