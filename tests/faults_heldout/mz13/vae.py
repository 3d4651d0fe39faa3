import torch
import torch.nn.functional as F
from torch import nn


class DigitVAE(nn.Module):
    def __init__(self, n_pixels=64, hidden=96, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_pixels, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, latent)
        self.log_var = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, n_pixels))

    def forward(self, x):
        h = self.enc(x)
        mu, log_var = self.mu(h), self.log_var(h)
        z = mu + torch.exp(0.5 * log_var) * torch.randn_like(mu) if self.training else mu
        return self.dec(z), mu, log_var


class ELBOLoss(nn.Module):
    """Negative evidence lower bound with a Bernoulli decoder; the KL is phased in over the first steps."""

    def __init__(self, anneal_steps=400):
        super().__init__()
        self.anneal_steps = anneal_steps
        self.register_buffer("step", torch.zeros((), dtype=torch.long))

    def forward(self, logits, x, mu, log_var):
        if self.training:
            self.step += 1
        beta = min(1.0, self.step.item() / self.anneal_steps)
        recon = F.binary_cross_entropy_with_logits(logits, x)
        kl = -0.5 * (1 + log_var - mu.pow(2) - log_var.exp()).sum(dim=1).mean()
        return recon + beta * kl, recon.detach(), kl.detach()
