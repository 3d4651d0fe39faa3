import torch
import torch.nn as nn


class Residual(nn.Module):
    """x + W2 gelu(W1 x), pre-activation style."""

    def __init__(self, dim, expansion):
        super().__init__()
        self.fc_in = nn.Linear(dim, expansion * dim)
        self.fc_out = nn.Linear(expansion * dim, dim)
        self.act = nn.GELU()

    def forward(self, x):
        return x + self.fc_out(self.act(self.fc_in(x)))


class GatedResidual(nn.Module):
    def __init__(self, dim, expansion):
        super().__init__()
        self.fc_in = nn.Linear(dim, 2 * expansion * dim)
        self.fc_out = nn.Linear(expansion * dim, dim)

    def forward(self, x):
        value, gate = self.fc_in(x).chunk(2, dim=-1)
        return x + self.fc_out(value * torch.sigmoid(gate))
