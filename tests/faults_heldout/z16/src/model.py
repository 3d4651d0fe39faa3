import torch
import torch.nn.functional as F
from torch import nn


class DigitVAE(nn.Module):
    def __init__(self, latent=10, width=128):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.mu, self.logvar = nn.Linear(width, latent), nn.Linear(width, latent)
        self.dec = nn.Sequential(nn.Linear(latent, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 64))

    def forward(self, x, generator=None):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h).clamp(-8, 8)
        eps = torch.randn(mu.shape, generator=generator)
        return self.dec(mu + eps * (0.5 * logvar).exp()), mu, logvar


def negative_elbo(x, logits, mu, logvar):
    """Nats per image; pixels are intensities in [0, 1]."""
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1)
    kl = 0.5 * (mu.pow(2) + logvar.exp() - 1 - logvar).sum(1)
    return (rec + kl).mean()
