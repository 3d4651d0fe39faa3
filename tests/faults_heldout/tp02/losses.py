import torch
from torch import nn


class PseudoHuber(nn.Module):
    """delta^2 * (sqrt(1 + (r/delta)^2) - 1): quadratic near zero, linear in the tails."""

    def __init__(self, delta=1.0):
        super().__init__()
        self.delta = delta

    def forward(self, pred, target):
        r = (pred - target) / self.delta
        return (self.delta ** 2 * (torch.sqrt(1 + r * r) - 1)).mean()
