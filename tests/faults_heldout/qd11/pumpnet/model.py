import torch
from torch import nn
import torch.nn.functional as F


class PumpNet(nn.Module):
    """Shared trunk, three read-outs."""

    def __init__(self, n_in, width=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.temp = nn.Linear(width, 1)
        self.vib = nn.Linear(width, 1)
        self.state = nn.Linear(width, 4)

    def forward(self, x):
        h = self.trunk(x)
        return self.temp(h).squeeze(1), self.vib(h).squeeze(1), self.state(h)


class TaskUncertainty(nn.Module):
    """Kendall, Gal & Cipolla: every task has its own learned noise level."""

    def __init__(self):
        super().__init__()
        self.log_var = nn.Parameter(torch.zeros(3))

    def forward(self, out, target):
        temp, vib, state = out
        raw = torch.stack([F.mse_loss(temp, target[0]) / 2, F.mse_loss(vib, target[1]) / 2, F.cross_entropy(state, target[2])])
        return (torch.exp(-self.log_var) * raw + self.log_var / 2).sum(), raw.detach()
