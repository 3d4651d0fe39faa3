import torch
import torch.nn as nn


class ConvVAE(nn.Module):
    def __init__(self, latent=8, width=32):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(1, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 2, 1), nn.ReLU(), nn.Flatten()
        )
        self.to_mu, self.to_logvar = nn.Linear(width * 4, latent), nn.Linear(width * 4, latent)
        self.dec = nn.Sequential(
            nn.Linear(latent, width * 4), nn.ReLU(), nn.Unflatten(1, (width, 2, 2)),
            nn.ConvTranspose2d(width, width, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(width, 1, 4, 2, 1), nn.Sigmoid(),
        )

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.to_mu(h), self.to_logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.dec(z), mu, logvar
