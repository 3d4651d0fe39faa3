import torch
from torch import nn
import torch.nn.functional as F


class QuantileNet(nn.Module):
    """Non-crossing quantiles in minutes: the lowest one plus positive gaps."""

    def __init__(self, n_in, n_q, hidden, start):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.out = nn.Linear(hidden, n_q)
        with torch.no_grad():
            start = torch.as_tensor(start, dtype=torch.float32)
            gaps = start[1:] - start[:-1]
            self.out.bias.copy_(torch.cat([start[:1], torch.log(torch.expm1(gaps))]))

    def forward(self, x):
        z = self.out(self.body(x))
        gaps = F.softplus(z[:, 1:])
        return torch.cat([z[:, :1], z[:, :1] + gaps.cumsum(1)], 1)


class PinballLoss(nn.Module):
    def __init__(self, quantiles):
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))

    def forward(self, pred, target):
        err = target.unsqueeze(1) - pred
        return torch.maximum(self.q * err, (self.q - 1) * err).mean()
