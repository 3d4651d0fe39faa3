import math

import torch
from torch import nn


class DigitVAE(nn.Module):
    def __init__(self, n_in=64, hidden=128, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_in, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU())
        self.to_mu = nn.Linear(hidden, latent)
        self.to_logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.GELU(), nn.Linear(hidden, n_in))
        self.log_sigma = nn.Parameter(torch.tensor(-1.0))

    def encode(self, x):
        h = self.enc(x)
        return self.to_mu(h), self.to_logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.dec(z), mu, logvar

    def elbo_terms(self, out, x, mu, logvar):
        """Gaussian pixels with one learned noise level; both terms in nats per image."""
        inv = torch.exp(-2 * self.log_sigma)
        nll = 0.5 * (x - out).pow(2) * inv + self.log_sigma + 0.5 * math.log(2 * math.pi)
        kl = 0.5 * (mu.pow(2) + logvar.exp() - 1 - logvar)
        return nll.sum(1).mean(), kl.sum(1).mean()
