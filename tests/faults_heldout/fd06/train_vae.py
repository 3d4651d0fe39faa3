import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class Config:
    latent: int = 10
    hidden: int = 128
    epochs: int = 90
    batch_size: int = 64
    lr: float = 3e-3
    kl_warmup_epochs: int = 5
    seed: int = 5


class VAE(nn.Module):
    def __init__(self, dim, hidden, latent):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.log_sigma = nn.Parameter(torch.tensor(-1.0))
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(), nn.Linear(hidden, dim))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h).clamp(-8, 8)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.dec(z), mu, logvar


def elbo_terms(recon, x, mu, logvar, log_sigma):
    """Per-sample Gaussian NLL (shared learned scale, summed over pixels) and KL to N(0, I)."""
    rec = (0.5 * ((x - recon) / log_sigma.exp()).pow(2) + log_sigma + 0.5 * math.log(2 * math.pi)).sum(1)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1)
    return rec.mean(), kl.mean()


def run(cfg: Config):
    torch.manual_seed(cfg.seed)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    data = TensorDataset(x)
    train, val = random_split(data, [len(x) - 360, 360])
    loader = DataLoader(train, cfg.batch_size, shuffle=True, drop_last=True)
    x_val = x[val.indices]

    vae = VAE(64, cfg.hidden, cfg.latent)
    opt = torch.optim.Adam(vae.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs, eta_min=1e-4)
    baseline = F.mse_loss(x[train.indices].mean(0).expand_as(x_val), x_val).item()

    for epoch in range(cfg.epochs):
        beta = min(1.0, (epoch + 1) / cfg.kl_warmup_epochs)
        vae.train()
        tot_rec = tot_kl = 0.0
        for (xb,) in loader:
            recon, mu, logvar = vae(xb)
            rec, kl = elbo_terms(recon, xb, mu, logvar, vae.log_sigma)
            loss = rec + beta * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot_rec += rec.item()
            tot_kl += kl.item()
        sched.step()
        if (epoch + 1) % 10 == 0:
            vae.eval()
            with torch.no_grad():
                recon, mu, logvar = vae(x_val)
                v_rec, v_kl = elbo_terms(recon, x_val, mu, logvar, vae.log_sigma)
                mse = F.mse_loss(recon, x_val).item()
                active = int((mu.std(0) > 0.1).sum())
            print(f"epoch {epoch + 1:3d} | train rec {tot_rec / len(loader):.2f} kl {tot_kl / len(loader):.2f} | "
                  f"val rec {v_rec:.2f} kl {v_kl:.2f} mse {mse:.4f} (mean image {baseline:.4f}) | active dims {active} sigma {vae.log_sigma.exp().item():.3f}")


if __name__ == "__main__":
    run(Config())
