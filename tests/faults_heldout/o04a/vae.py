import json

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, hidden, latent):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)

    def forward(self, x):
        h = self.net(x)
        return self.mu(h), self.logvar(h).clamp(-8, 8)


class VAE(nn.Module):
    def __init__(self, hidden, latent):
        super().__init__()
        self.encoder = Encoder(hidden, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 64)
        )

    def forward(self, x):
        mu, logvar = self.encoder(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.decoder(z), mu, logvar


def objective(logits, x, mu, logvar, cfg):
    """Negative ELBO, averaged over the batch."""
    err = (torch.sigmoid(logits) - x).pow(2) / (2 * cfg["sigma"] ** 2)
    rec = err.sum(1) if cfg["reconstruction"] == "sum" else err.mean(1)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1)
    return (rec + cfg["kl_weight"] * kl).mean(), rec.mean(), kl.mean()


def load_config(path="vae.json"):
    with open(path) as f:
        return json.load(f)
