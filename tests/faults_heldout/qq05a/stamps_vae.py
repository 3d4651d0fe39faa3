#!/usr/bin/env python
"""Variational autoencoder for 16x16 stamps.

Settings are read from vae.env beside this file; the process environment wins, e.g.

    EPOCHS=40 python stamps_vae.py
"""
import os
import pathlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

BASE = pathlib.Path(__file__).resolve().parent


def read_env(path):
    values = {}
    for line in path.read_text().splitlines():
        line = line.split("#", 1)[0].strip()
        if line:
            key, _, value = line.partition("=")
            values[key.strip()] = os.environ.get(key.strip(), value.strip())
    return values


ENV = read_env(BASE / "vae.env")


class Encoder(nn.Module):
    def __init__(self, c, latent):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, c, 4, 2, 1), nn.SiLU(),
            nn.Conv2d(c, 2 * c, 4, 2, 1), nn.SiLU(),
            nn.Flatten(), nn.Linear(2 * c * 16, 96), nn.SiLU(),
        )
        self.mu = nn.Linear(96, latent)
        self.logvar = nn.Linear(96, latent)

    def forward(self, x):
        h = self.net(x)
        return self.mu(h), self.logvar(h)


class Decoder(nn.Module):
    def __init__(self, c, latent):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(latent, 96), nn.SiLU(),
            nn.Linear(96, 2 * c * 16), nn.SiLU(),
            nn.Unflatten(1, (2 * c, 4, 4)),
            nn.ConvTranspose2d(2 * c, c, 4, 2, 1), nn.SiLU(),
            nn.ConvTranspose2d(c, 1, 4, 2, 1),
        )

    def forward(self, z):
        return self.net(z)


class StampVAE(nn.Module):
    def __init__(self, c, latent):
        super().__init__()
        self.encoder = Encoder(c, latent)
        self.decoder = Decoder(c, latent)

    def forward(self, x):
        mu, logvar = self.encoder(x)
        z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu) if self.training else mu
        return self.decoder(z), mu, logvar


class Objective:
    """Negative ELBO per image."""

    def __init__(self, kl_weight, recon_reduction):
        self.kl_weight = kl_weight
        self.recon_reduction = recon_reduction

    def __call__(self, logits, x, mu, logvar):
        rec = F.binary_cross_entropy_with_logits(logits, x, reduction=self.recon_reduction)
        if self.recon_reduction == "sum":
            rec = rec / len(x)
        kl = 0.5 * (mu.square() + logvar.exp() - 1.0 - logvar).sum(1).mean()
        return rec + self.kl_weight * kl, rec, kl


@torch.no_grad()
def inspect(model, train, held):
    """Share of the pixel variance explained, and form accuracy of nearest neighbours in latent space."""
    model.eval()
    (xt, kt), (xh, kh) = train, held
    logits, mh, _ = model(xh)
    mt = model.encoder(xt)[0]
    model.train()
    residual = (torch.sigmoid(logits) - xh).square().mean()
    explained = 1 - residual / (xt.mean(0) - xh).square().mean()
    near = torch.cdist(mh, mt).topk(7, largest=False).indices
    form = torch.mode(kt[near], dim=1).values
    return explained.item(), (form == kh).float().mean().item()


def main():
    torch.manual_seed(int(ENV["SEED"]))
    with np.load(BASE / ENV["STAMPS"]) as f:
        x = torch.from_numpy(f["stamp"]).float().div(255).unsqueeze(1)
        k = torch.from_numpy(f["form"]).long()
    cut = len(x) - 400
    train, held = (x[:cut], k[:cut]), (x[cut:], k[cut:])

    model = StampVAE(int(ENV["CHANNELS"]), int(ENV["LATENT"]))
    objective = Objective(float(ENV["KL_WEIGHT"]), ENV["RECON_REDUCTION"])
    epochs, batch = int(ENV["EPOCHS"]), int(ENV["BATCH"])
    opt = torch.optim.Adam(model.parameters(), lr=float(ENV["LR"]))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs, eta_min=1e-4)

    for epoch in range(1, epochs + 1):
        sums = torch.zeros(3)
        parts = torch.randperm(cut).split(batch)
        for ix in parts:
            xb = train[0][ix]
            logits, mu, logvar = model(xb)
            loss, rec, kl = objective(logits, xb, mu, logvar)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += torch.stack([loss.detach(), rec.detach(), kl.detach()])
        sched.step()
        total, rec, kl = (sums / len(parts)).tolist()
        line = f"{epoch:3d}  loss {total:.4f}  recon {rec:.4f}  kl {kl:.4f}"
        if epoch % 3 == 0:
            ev, knn = inspect(model, train, held)
            line += f"  | held-out explained {ev:.3f}  knn form accuracy {knn:.3f}"
        print(line)


if __name__ == "__main__":
    main()
