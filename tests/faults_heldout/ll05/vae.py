"""Variational autoencoder on 8x8 digits, Gaussian decoder with one learned noise level."""
import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class Settings:
    latent: int = 6
    hidden: int = 96
    batch: int = 64
    epochs: int = 80
    lr: float = 2e-3
    kl_warmup_epochs: int = 10
    seed: int = 21


class VAE(nn.Module):
    def __init__(self, s, dim=64):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, s.hidden), nn.SiLU(), nn.Linear(s.hidden, s.hidden), nn.SiLU())
        self.to_mu = nn.Linear(s.hidden, s.latent)
        self.to_logvar = nn.Linear(s.hidden, s.latent)
        self.dec = nn.Sequential(nn.Linear(s.latent, s.hidden), nn.SiLU(), nn.Linear(s.hidden, s.hidden), nn.SiLU(),
                                 nn.Linear(s.hidden, dim))
        self.log_sigma = nn.Parameter(torch.tensor(-1.2))    # pixel spread of the data is about 0.37

    def encode(self, x):
        h = self.enc(x)
        return self.to_mu(h), self.to_logvar(h)

    def terms(self, x):
        """Per-sample reconstruction NLL and KL, both in nats."""
        mu, logvar = self.encode(x)
        z = mu + (0.5 * logvar).exp() * torch.randn_like(mu)
        err = (x - self.dec(z)) / self.log_sigma.exp()
        rec = (0.5 * err.square() + self.log_sigma + 0.5 * math.log(2 * math.pi)).sum(1)
        kl = 0.5 * (mu.square() + logvar.exp() - 1 - logvar).sum(1)
        return rec, kl


@torch.no_grad()
def negative_elbo(model, x, repeats=4):
    model.eval()
    rec = kl = 0.0
    for _ in range(repeats):
        r, k = model.terms(x)
        rec, kl = rec + r.mean().item() / repeats, kl + k.mean().item() / repeats
    return rec + kl, rec, kl


def ascii_digit(v):
    shades = " .:*#"
    return ["".join(shades[min(4, max(0, int(p * 5)))] * 2 for p in row) for row in v.view(8, 8)]


def main(s=Settings()):
    torch.manual_seed(s.seed)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
    train, val = random_split(x, [1497, 300], generator=torch.Generator().manual_seed(s.seed))
    loader = DataLoader(TensorDataset(x[train.indices]), batch_size=s.batch, shuffle=True)
    x_val = x[val.indices]

    model = VAE(s)
    body = [p for n, p in model.named_parameters() if n != "log_sigma"]
    opt = torch.optim.Adam([{"params": body}, {"params": [model.log_sigma], "lr": 5 * s.lr}], lr=s.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s.epochs, eta_min=1e-4)
    for epoch in range(s.epochs):
        beta = min(1.0, (epoch + 1) / s.kl_warmup_epochs)
        model.train()
        total = 0.0
        for (xb,) in loader:
            rec, kl = model.terms(xb)
            loss = (rec + beta * kl).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        if epoch % 8 == 7:
            neg, rec, kl = negative_elbo(model, x_val)
            print(f"epoch {epoch + 1:3d} beta {beta:.1f}  train {total / len(loader.dataset):8.3f}  "
                  f"val -ELBO {neg:8.3f} (rec {rec:8.3f}, kl {kl:6.3f})  sigma {model.log_sigma.exp().item():.3f}")

    torch.save(model.state_dict(), Path(__file__).with_name("vae.pt"))
    with torch.no_grad():
        art = [ascii_digit(v) for v in model.dec(torch.randn(4, s.latent))]
    print("\n".join("   ".join(rows) for rows in zip(*art)))


if __name__ == "__main__":
    main()
