import math

import torch
import torch.nn.functional as F
from torch import nn


class MixtureDensityNet(nn.Module):
    """p(y | x) as a mixture of K one-dimensional Gaussians."""

    def __init__(self, d_in, hidden=64, k=6):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.logit = nn.Linear(hidden, k)
        self.mu = nn.Linear(hidden, k)
        self.rho = nn.Linear(hidden, k)
        nn.init.uniform_(self.mu.bias, -1.0, 1.0)

    def forward(self, x):
        h = self.trunk(x)
        return self.logit(h), self.mu(h), F.softplus(self.rho(h)) + 1e-3

    def nll(self, x, y):
        logit, mu, sigma = self(x)
        z = (y[:, None] - mu) / sigma
        comp = -0.5 * z ** 2 - sigma.log() - 0.5 * math.log(2 * math.pi)
        return -torch.logsumexp(F.log_softmax(logit, 1) + comp, 1).mean()

    @torch.no_grad()
    def cdf(self, x, y):
        logit, mu, sigma = self(x)
        return (logit.softmax(1) * torch.distributions.Normal(mu, sigma).cdf(y[:, None])).sum(1)
