import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, activation, dropout):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(width, width), getattr(nn, activation)(), nn.Dropout(dropout))

    def forward(self, x):
        return self.inner(x)


class PumpNet(nn.Module):
    def __init__(self, n_inputs, s):
        super().__init__()
        self.inlet = nn.Linear(n_inputs, s.width)
        self.trunk = nn.Sequential(*(Block(s.width, s.activation, s.dropout) for _ in range(s.blocks)))
        self.outlet = nn.Linear(s.width, 1)

    def forward(self, x):
        return self.outlet(self.trunk(self.inlet(x))).squeeze(-1)


def trainable(model, s):
    if s.head_only:
        for part in (model.inlet, model.trunk):
            part.requires_grad_(False)
    return [p for p in model.parameters() if p.requires_grad]
