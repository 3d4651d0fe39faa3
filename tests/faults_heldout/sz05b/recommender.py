import torch
from torch import nn


class FactorModel(nn.Module):
    def __init__(self, users, films, factors, mean):
        super().__init__()
        self.user = nn.Embedding(users, factors)
        self.film = nn.Embedding(films, factors)
        self.user_bias = nn.Embedding(users, 1)
        self.film_bias = nn.Embedding(films, 1)
        self.mean = mean
        nn.init.normal_(self.user.weight, std=0.2)
        nn.init.normal_(self.film.weight, std=0.2)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.film_bias.weight)

    def forward(self, user, film):
        taste = (self.user(user) * self.film(film)).sum(-1)
        return self.mean + self.user_bias(user).squeeze(-1) + self.film_bias(film).squeeze(-1) + taste

    def penalty(self, user, film):
        return self.user(user).square().sum(-1).mean() + self.film(film).square().sum(-1).mean()
