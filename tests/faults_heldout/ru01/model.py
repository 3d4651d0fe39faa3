import torch
from torch import nn


class HeatLoadNet(nn.Module):
    def __init__(self, n_in, width=24, depth=4):
        super().__init__()
        self.stem = nn.Linear(n_in, width)
        self.hidden = []
        for _ in range(depth):
            self.hidden.append(nn.Linear(width, width))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x).squeeze(-1)
