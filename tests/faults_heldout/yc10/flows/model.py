import math

import torch
import torch.nn as nn

from .layers import ActNorm, AffineCoupling


class Flow(nn.Module):
    def __init__(self, dim, steps):
        super().__init__()
        self.dim = dim
        self.steps = nn.ModuleList(steps)

    def log_prob(self, x):
        logdet = torch.zeros(len(x))
        for step in self.steps:
            x, ld = step(x)
            logdet = logdet + ld
        return -0.5 * (x.pow(2).sum(1) + self.dim * math.log(2 * math.pi)) + logdet

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, self.dim)
        for step in reversed(self.steps):
            z = step.inverse(z)
        return z


def build_flow(dim, cfg):
    steps = []
    for i in range(cfg.layers):
        steps += [ActNorm(dim), AffineCoupling(dim, cfg.hidden, cfg.scale_limit, flip=i % 2 == 1)]
    return Flow(dim, steps)
