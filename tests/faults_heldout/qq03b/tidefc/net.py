import torch.nn as nn


class Forecaster(nn.Module):
    def __init__(self, inputs, hidden, depth):
        super().__init__()
        self.inp = nn.Linear(inputs, hidden)
        self.mid = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(depth - 1))
        self.act = nn.GELU()
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.act(self.inp(x))
        for layer in self.mid:
            h = h + self.act(layer(h))
        return self.out(h).squeeze(-1)
