import torch
from torch import nn


class BloomNet(nn.Module):
    def __init__(self, n_in, hidden=(48, 48)):
        super().__init__()
        sizes = [n_in, *hidden]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.out = nn.Linear(sizes[-1], 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.out(x).flatten()
