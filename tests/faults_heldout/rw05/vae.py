# Generative model of single heart beats (64 samples around the R peak).
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

p = argparse.ArgumentParser()
p.add_argument("--latent", type=int, default=6)
p.add_argument("--hidden", type=int, default=96)
p.add_argument("--epochs", type=int, default=40)
p.add_argument("--bs", type=int, default=64)
p.add_argument("--lr", type=float, default=2e-3)
opt = p.parse_args()

torch.manual_seed(42)
beats = torch.from_numpy(np.load("beats.npy").astype(np.float32)) / 80.0
beats = beats[torch.randperm(len(beats))]
train, valid = beats[:1050], beats[1050:]
offset, spread = train.mean(), train.std()
train, valid = (train - offset) / spread, (valid - offset) / spread


class BeatVAE(nn.Module):
    def __init__(self, n, hidden, latent):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(),
                                 nn.Linear(hidden, n))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h).clamp(-8, 4)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def elbo_terms(recon, x, mu, logvar):
    rec = F.mse_loss(recon, x)
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return rec, kld


vae = BeatVAE(train.shape[1], opt.hidden, opt.latent)
optim = torch.optim.Adam(vae.parameters(), lr=opt.lr)

for epoch in range(1, opt.epochs + 1):
    vae.train()
    for x in train[torch.randperm(len(train))].split(opt.bs):
        recon, mu, logvar = vae(x)
        rec, kld = elbo_terms(recon, x, mu, logvar)
        loss = rec + kld
        optim.zero_grad()
        loss.backward()
        optim.step()
    if epoch % 4 == 0:
        vae.eval()
        with torch.no_grad():
            recon, mu, logvar = vae(valid)
            v_rec = F.mse_loss(recon, valid).item()
        print(f"epoch {epoch:3d}  loss {loss.item():8.4f}  rec {rec.item():.4f}  kld {kld.item():.4f}  valid mse {v_rec:.4f}")
