import math

import torch
from torch import nn


class MixtureDensityNet(nn.Module):
    """p(y | x) as a mixture of Gaussians whose parameters depend on x."""

    def __init__(self, n_in, hidden, components):
        super().__init__()
        layers, width = [], n_in
        for h in hidden:
            layers += [nn.Linear(width, h), nn.SiLU()]
            width = h
        self.trunk = nn.Sequential(*layers)
        self.logit_pi = nn.Linear(width, components)
        self.mu = nn.Linear(width, components)
        self.log_sigma = nn.Linear(width, components)
        nn.init.uniform_(self.mu.bias, -1.7, 1.7)

    def forward(self, x):
        h = self.trunk(x)
        return self.logit_pi(h), self.mu(h), self.log_sigma(h).clamp(-5.0, 3.0)


def mixture_nll(params, y):
    logit_pi, mu, log_sigma = params
    z = (y - mu) * torch.exp(-log_sigma)
    comp = -0.5 * z.square() - log_sigma - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(torch.log_softmax(logit_pi, dim=-1) + comp, dim=-1)
