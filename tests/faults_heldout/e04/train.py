#!/usr/bin/env python
"""Gaussian VAE for 8x8 digits with a learned observation variance and KL warm-up."""
import math

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(21)
EPOCHS, LATENT, KL_WARMUP = 40, 10, 10

pix = load_digits().images.reshape(-1, 64).astype(np.float32) / 16.0
pix = torch.from_numpy(pix)
train_set, val_set = random_split(TensorDataset(pix), [1497, 300], generator=torch.Generator().manual_seed(8))
train_loader = DataLoader(train_set, batch_size=64, shuffle=True, drop_last=True)
val_loader = DataLoader(val_set, batch_size=100)


class VAE(nn.Module):
    def __init__(self, d=64, h=160, z=LATENT):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, d))
        self.log_sigma = nn.Parameter(torch.tensor(-1.2))

    def forward(self, x, sample=True):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if sample else mu
        return self.dec(z), mu, logvar

    def terms(self, x):
        rec, mu, logvar = self(x)
        ls = self.log_sigma.clamp(min=-4.0)
        nll = (0.5 * ((x - rec) / ls.exp()) ** 2 + ls + 0.5 * math.log(2 * math.pi)).sum(1).mean()
        kl = (0.5 * (mu ** 2 + logvar.exp() - 1 - logvar)).sum(1).mean()
        return nll, kl


model = VAE()
opt = torch.optim.Adam([
    {"params": [*model.enc.parameters(), *model.dec.parameters()]},
    {"params": [model.log_sigma], "lr": 1e-2},
], lr=2e-3)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[26, 34], gamma=0.3)

for epoch in range(EPOCHS):
    beta = min(1.0, (epoch + 1) / KL_WARMUP)
    model.train()
    run = np.zeros(3)
    for (x,) in train_loader:
        nll, kl = model.terms(x)
        loss = nll + beta * kl
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 200.0)
        opt.step()
        run += [loss.item(), nll.item(), kl.item()]
    sched.step()
    run /= len(train_loader)

    model.eval()
    v_neg_elbo, v_mse, n = 0.0, 0.0, 0
    with torch.no_grad():
        for (x,) in val_loader:
            nll, kl = model.terms(x)
            rec, _, _ = model(x, sample=False)
            v_neg_elbo += (nll + kl).item() * len(x)
            v_mse += ((rec - x) ** 2).mean().item() * len(x)
            n += len(x)
    if epoch % 5 == 4 or epoch == 0:
        print(f"{epoch + 1:3d} beta {beta:.2f} train {run[0]:8.2f} (nll {run[1]:.2f} kl {run[2]:.2f}) "
              f"val -ELBO {v_neg_elbo / n:8.2f} val mse {v_mse / n:.5f} sigma {model.log_sigma.exp().item():.3f}")
print(f"pixel variance {pix.var(0).mean():.5f}")
