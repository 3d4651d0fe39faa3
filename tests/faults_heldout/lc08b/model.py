import torch
from torch import nn
import torch.nn.functional as F


class DigitVAE(nn.Module):
    def __init__(self, n_in, hidden, latent):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, n_in))

    def forward(self, x):
        h = self.encoder(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return torch.sigmoid(self.decoder(z)), mu, logvar


class Objective:
    def __init__(self, recon_weight, kl_weight):
        self.recon_weight = recon_weight
        self.kl_weight = kl_weight

    def __call__(self, x, out, mu, logvar):
        recon = F.mse_loss(out, x)
        kl = (-0.5 * (1 + logvar - mu.pow(2) - logvar.exp())).sum(1).mean()
        return self.recon_weight * recon + self.kl_weight * kl, recon, kl
