import torch
from torch import nn


class Factors(nn.Module):
    def __init__(self, n_users, n_films, rank, mean):
        super().__init__()
        self.user = nn.ParameterDict({"vec": torch.randn(n_users, rank) * 0.1, "bias": torch.zeros(n_users)})
        self.film = nn.ParameterDict({"vec": torch.randn(n_films, rank) * 0.1, "bias": torch.zeros(n_films)})
        self.register_buffer("mean", torch.tensor(mean))

    def forward(self, u, f):
        dot = (self.user["vec"][u] * self.film["vec"][f]).sum(1)
        return self.mean + self.user["bias"][u] + self.film["bias"][f] + dot

    def penalty(self, u, f):
        return (self.user["vec"][u] ** 2).sum(1) + (self.film["vec"][f] ** 2).sum(1)
