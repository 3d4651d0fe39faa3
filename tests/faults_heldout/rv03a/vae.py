import torch
from torch import nn


class ConvVAE(nn.Module):
    def __init__(self, latent, channels):
        super().__init__()
        c = channels
        self.down = nn.Sequential(
            nn.Conv2d(1, c, 3, stride=2, padding=1), nn.SiLU(),
            nn.Conv2d(c, 2 * c, 3, stride=2, padding=1), nn.SiLU(),
            nn.Flatten(),
        )
        self.to_stats = nn.Linear(2 * c * 4, 2 * latent)
        self.from_latent = nn.Linear(latent, 2 * c * 4)
        self.up = nn.Sequential(
            nn.Unflatten(1, (2 * c, 2, 2)),
            nn.ConvTranspose2d(2 * c, c, 4, stride=2, padding=1), nn.SiLU(),
            nn.ConvTranspose2d(c, 1, 4, stride=2, padding=1), nn.Sigmoid(),
        )

    def encode(self, x):
        mu, logvar = self.to_stats(self.down(x)).chunk(2, dim=1)
        return mu, logvar.clamp(-8, 4)

    def decode(self, z):
        return self.up(self.from_latent(z))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu) if self.training else mu
        return self.decode(z), mu, logvar
