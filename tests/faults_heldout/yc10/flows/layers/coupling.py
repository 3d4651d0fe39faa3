import torch
import torch.nn as nn


class AffineCoupling(nn.Module):
    def __init__(self, dim, hidden, scale_limit, flip):
        super().__init__()
        mask = (torch.arange(dim) % 2).float()
        self.register_buffer("mask", 1 - mask if flip else mask)
        self.limit = scale_limit
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def params(self, kept):
        s, t = self.net(kept).chunk(2, dim=-1)
        free = 1 - self.mask
        return self.limit * torch.tanh(s / self.limit) * free, t * free

    def forward(self, x):
        s, t = self.params(x * self.mask)
        return x * s.exp() + t, s.sum(-1)

    def inverse(self, z):
        s, t = self.params(z * self.mask)
        return (z - t) * (-s).exp()
