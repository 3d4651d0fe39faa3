import copy

import torch
from torch import nn


def mlp(sizes, act):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


class Generator(nn.Module):
    def __init__(self, noise_dim=8, width=96):
        super().__init__()
        self.noise_dim = noise_dim
        self.net = mlp([noise_dim, width, width, 2], nn.ReLU)

    def forward(self, n):
        return self.net(torch.randn(n, self.noise_dim))


class Critic(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.net = mlp([2, width, width, 1], lambda: nn.LeakyReLU(0.2))

    def forward(self, x):
        return self.net(x).squeeze(1)


class Average:
    """Running mean of the generator weights, used for sampling."""

    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for avg, p in zip(self.model.parameters(), model.parameters()):
            avg.lerp_(p, 1 - self.decay)
