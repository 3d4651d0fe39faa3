import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal, kl_divergence


class Encoder(nn.Module):
    def __init__(self, n_in, latent):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 96), nn.ELU(), nn.Linear(96, 48), nn.ELU())
        self.loc = nn.Linear(48, latent)
        self.scale = nn.Linear(48, latent)

    def forward(self, x):
        h = self.trunk(x)
        return Normal(self.loc(h), F.softplus(self.scale(h)) + 1e-3)


class SpectrumVAE(nn.Module):
    def __init__(self, n_in=48, latent=6, sigma=0.15):
        super().__init__()
        self.encoder = Encoder(n_in, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, 48), nn.ELU(), nn.Linear(48, 96), nn.ELU(), nn.Linear(96, n_in))
        self.sigma = sigma

    def prior(self, like):
        return Normal(torch.zeros_like(like), torch.ones_like(like))

    def forward(self, x):
        q = self.encoder(x)
        z = q.sample()
        return self.decoder(z), q

    def elbo(self, x, beta=1.0):
        recon, q = self(x)
        log_px = Normal(recon, self.sigma).log_prob(x).sum(1)
        kl = kl_divergence(q, self.prior(q.loc)).sum(1)
        return (log_px - beta * kl).mean(), kl.mean()

    @torch.no_grad()
    def reconstruct(self, x):
        return self.decoder(self.encoder(x).loc)
