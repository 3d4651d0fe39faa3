import math

import torch
from torch import nn


class MixtureHead(nn.Module):
    def __init__(self, width, components, dims):
        super().__init__()
        self.components, self.dims = components, dims
        self.linear = nn.Linear(width, components * (1 + 2 * dims))

    def forward(self, h):
        raw = self.linear(h).view(len(h), self.components, 1 + 2 * self.dims)
        log_weight = raw[..., 0].log_softmax(-1)
        mean = raw[..., 1: 1 + self.dims]
        log_scale = raw[..., 1 + self.dims:].clamp(-5.0, 2.0)
        return log_weight, mean, log_scale


def nll(params, y):
    """Negative log density of a mixture of diagonal Gaussians, mean over the batch."""
    log_weight, mean, log_scale = params
    z = (y.unsqueeze(1) - mean) / log_scale.exp()
    log_normal = (-0.5 * z ** 2 - log_scale - 0.5 * math.log(2 * math.pi)).sum(-1)
    return -torch.logsumexp(log_weight + log_normal, dim=-1).mean()
