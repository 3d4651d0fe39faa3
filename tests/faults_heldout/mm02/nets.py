import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, z_dim, classes, width):
        super().__init__()
        self.emb = nn.Embedding(classes, 16)
        self.body = nn.Sequential(
            nn.Linear(z_dim + 16, width), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Linear(width, 64), nn.Tanh())

    def forward(self, z, y):
        return self.body(torch.cat([z, self.emb(y)], 1))


class Critic(nn.Module):
    """No batch statistics in here: the penalty is defined per sample."""

    def __init__(self, classes, width):
        super().__init__()
        self.emb = nn.Embedding(classes, 16)
        self.body = nn.Sequential(
            nn.Linear(64 + 16, width), nn.LeakyReLU(0.2),
            nn.Linear(width, width), nn.LeakyReLU(0.2),
            nn.Linear(width, 1))

    def forward(self, x, y):
        return self.body(torch.cat([x, self.emb(y)], 1)).squeeze(1)


class Judge(nn.Module):
    """Plain digit classifier used only to score generated samples."""

    def __init__(self, classes):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, classes))

    def forward(self, x):
        return self.net(x)
