import torch
from torch import nn


class DigitVAE(nn.Module):
    def __init__(self, latent, hidden, pixels=64):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(pixels, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU())
        self.to_mu = nn.Linear(hidden, latent)
        self.to_logvar = nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, hidden), nn.GELU(),
            nn.Linear(hidden, hidden), nn.GELU(),
            nn.Linear(hidden, pixels),
        )

    def encode(self, x):
        h = self.encoder(x)
        return self.to_mu(h), self.to_logvar(h).clamp(-8, 4)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.decoder(z), mu, logvar
