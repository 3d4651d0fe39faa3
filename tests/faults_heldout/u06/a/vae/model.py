import torch
import torch.nn as nn


class ConvVAE(nn.Module):
    def __init__(self, latent=12, ch=16):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, ch, 3, stride=2, padding=1), nn.SiLU(),
            nn.Conv2d(ch, 2 * ch, 3, stride=2, padding=1), nn.SiLU(),
            nn.Flatten(),
        )
        self.to_stats = nn.Linear(2 * ch * 4, 2 * latent)
        self.from_latent = nn.Linear(latent, 2 * ch * 4)
        self.ch = ch
        self.decoder = nn.Sequential(
            nn.SiLU(), nn.ConvTranspose2d(2 * ch, ch, 4, stride=2, padding=1),
            nn.SiLU(), nn.ConvTranspose2d(ch, 1, 4, stride=2, padding=1),
        )

    def encode(self, x):
        return self.to_stats(self.encoder(x)).chunk(2, dim=1)

    def decode(self, z):
        return self.decoder(self.from_latent(z).view(-1, 2 * self.ch, 2, 2))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.decode(z), mu, logvar


def elbo_terms(recon, x, mu, logvar, sigma):
    """Gaussian likelihood with a fixed sigma; both terms summed over dims, averaged over the batch."""
    rec = 0.5 * ((recon - x) / sigma).pow(2).flatten(1).sum(1).mean()
    kl = 0.5 * (mu.pow(2) + logvar.exp() - 1 - logvar).sum(1).mean()
    return rec, kl
