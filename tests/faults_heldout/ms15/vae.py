import torch
from torch import nn
import torch.nn.functional as F


class DigitVAE(nn.Module):
    def __init__(self, n_in=64, hidden=56, latent=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_in, hidden), nn.LeakyReLU(0.1))
        self.mu = nn.Linear(hidden, latent)
        self.log_var = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.LeakyReLU(0.1), nn.Linear(hidden, n_in))

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.log_var(h)

    def forward(self, x):
        mu, log_var = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * log_var)
        return self.dec(z), mu, log_var


def elbo_terms(logits, x, mu, log_var):
    """Per-sample reconstruction and KL, both in nats."""
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1)
    kl = -0.5 * (1 + log_var - mu ** 2 - log_var.exp()).sum(1)
    return rec, kl
