import torch
from torch import nn
import torch.nn.functional as F


class DigitVAE(nn.Module):
    def __init__(self, n_pix=64, hidden=128, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_pix, hidden), nn.ReLU(), nn.Linear(hidden, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, n_pix))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def objective(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return rec, kl
