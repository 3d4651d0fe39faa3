import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self, d=64, hidden=96, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, hidden), nn.SiLU(), nn.Linear(hidden, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.SiLU(), nn.Linear(hidden, d))

    def encode(self, x):
        return self.enc(x).chunk(2, dim=-1)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.dec(z), mu, logvar


def terms(x, out, mu, logvar):
    rec = nn.functional.binary_cross_entropy_with_logits(out, x, reduction="none").sum(-1).mean()
    kl = 0.5 * (mu ** 2 + logvar.exp() - 1 - logvar).sum(-1).mean()
    return rec, kl
