import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, n_in, width=48, n_out=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.LeakyReLU(0.1), nn.Linear(width, n_out))

    def forward(self, x):
        return self.net(x)


def distance(a, b):
    return (a - b).pow(2).sum(1).sqrt()


def contrastive(d, same, margin=2.0):
    pull = same * d.pow(2)
    push = (1 - same) * torch.clamp(margin - d, min=0).pow(2)
    return (pull + push).mean()
