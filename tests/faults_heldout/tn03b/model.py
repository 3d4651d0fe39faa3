import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))

    def forward(self, x):
        return x + self.net(x)


class DayAhead(nn.Module):
    """One encoding of the past week, decoded hour by hour with what is known about that hour."""

    def __init__(self, history, horizon, known, quantiles, width, blocks):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(history, width), *[Block(width) for _ in range(blocks)])
        self.hour = nn.Embedding(horizon, width)
        self.known = nn.Linear(known, width)
        self.decode = nn.Sequential(Block(width), nn.LayerNorm(width), nn.Linear(width, quantiles))

    def forward(self, past, known):
        z = self.encode(past)[:, None] + self.hour.weight + self.known(known)
        return self.decode(z)


class PinballLoss(nn.Module):
    def __init__(self, quantiles):
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))

    def forward(self, pred, target):
        err = target[..., None] - pred
        return torch.maximum(self.q * err, (self.q - 1) * err).mean()
