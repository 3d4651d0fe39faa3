import math

import torch
from torch import nn
from torch.nn import functional as F


class ConvVAE(nn.Module):
    """Gaussian decoder with one learned noise scale."""

    def __init__(self, latent=12, width=32):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.GELU(),
            nn.Conv2d(width, width, 4, stride=2, padding=1), nn.GELU(),
            nn.Conv2d(width, 2 * width, 4, stride=2, padding=1), nn.GELU(),
            nn.Flatten(),
            nn.Linear(2 * width * 16, 2 * latent),
        )
        self.expand = nn.Linear(latent, 2 * width * 16)
        self.decoder = nn.Sequential(
            nn.GELU(), nn.ConvTranspose2d(2 * width, width, 4, stride=2, padding=1),
            nn.GELU(), nn.ConvTranspose2d(width, width, 4, stride=2, padding=1),
            nn.GELU(), nn.Conv2d(width, 1, 3, padding=1),
        )
        self.log_sigma = nn.Parameter(torch.tensor(0.0))
        self.width = width

    def encode(self, x):
        return self.encoder(x).chunk(2, dim=1)

    def decode(self, z):
        h = self.expand(z).view(-1, 2 * self.width, 4, 4)
        return self.decoder(h)

    def elbo_terms(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (logvar / 2).exp()
        nll = F.gaussian_nll_loss(
            self.decode(z), x, (2 * self.log_sigma).exp().expand_as(x), full=True, reduction="none"
        ).sum(dim=(1, 2, 3))
        kl = 0.5 * (mu**2 + logvar.exp() - 1 - logvar).sum(dim=1)
        return nll, kl

    @torch.no_grad()
    def sample(self, n, latent):
        return self.decode(torch.randn(n, latent))


def bits_per_dim(nll_plus_kl, dims):
    return nll_plus_kl / (dims * math.log(2))
