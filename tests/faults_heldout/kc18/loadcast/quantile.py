import torch
from torch import nn


class QuantileNet(nn.Module):
    def __init__(self, n_in, taus, width=48):
        super().__init__()
        self.register_buffer("taus", torch.tensor(taus))
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(),
                                 nn.Linear(width, width), nn.ReLU(),
                                 nn.Linear(width, len(taus)))

    def forward(self, x):
        return self.net(x)


def pinball(q, y, taus):
    """Mean pinball loss over the quantile levels."""
    total = 0.0
    for k, tau in enumerate(taus):
        err = y - q[:, k:k + 1]
        total = total + torch.maximum(tau * err, (tau - 1) * err).mean()
    return total / len(taus)
