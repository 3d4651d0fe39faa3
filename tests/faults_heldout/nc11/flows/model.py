import math

import torch
import torch.nn as nn

from .layers import COUPLINGS


class Flow(nn.Module):
    def __init__(self, dim, layers, hidden, coupling):
        super().__init__()
        self.dim = dim
        self.couplings = nn.ModuleList(COUPLINGS[coupling](dim, hidden, i % 2) for i in range(layers))
        self.log_scale = nn.Parameter(torch.zeros(dim))

    def log_prob(self, x):
        total = x.new_zeros(len(x))
        for layer in self.couplings:
            x, log_det = layer(x)
            total = total + log_det
        x = x * self.log_scale.exp()
        total = total + self.log_scale.sum()
        return total - 0.5 * x.pow(2).sum(dim=1) - 0.5 * self.dim * math.log(2 * math.pi)
