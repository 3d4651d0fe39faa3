import torch
from torch import nn


class DigitVAE(nn.Module):
    def __init__(self, n_latent=8, n_hidden=128):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_hidden), nn.ReLU())
        self.mu = nn.Linear(n_hidden, n_latent)
        self.logvar = nn.Linear(n_hidden, n_latent)
        self.decoder = nn.Sequential(nn.Linear(n_latent, n_hidden), nn.ReLU(),
                                     nn.Linear(n_hidden, n_hidden), nn.ReLU(), nn.Linear(n_hidden, 64))

    def forward(self, x):
        h = self.encoder(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.decoder(z), mu, logvar
