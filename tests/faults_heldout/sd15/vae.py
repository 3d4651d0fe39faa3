"""Variational autoencoder on the 8x8 handwritten digits."""
import math

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

torch.manual_seed(5)

LATENT = 8
EPOCHS = 40
BATCH = 64
WARM_UP_EPOCHS = 8
PIXEL_SIGMA = 0.15

pixels, digit = load_digits(return_X_y=True)
pixels = torch.tensor(pixels / 16.0, dtype=torch.float32)
train_x, valid_x = (t.contiguous() for t in train_test_split(pixels, test_size=0.2, random_state=5, stratify=digit))


class VAE(nn.Module):
    def __init__(self, d_in=64, hidden=128, latent=LATENT):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d_in, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU())
        self.mu = nn.Linear(hidden, latent)
        self.log_var = nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(),
                                     nn.Linear(hidden, d_in))

    def forward(self, x):
        h = self.encoder(x)
        mu, log_var = self.mu(h), self.log_var(h)
        z = mu
        if self.training:
            z = mu + torch.exp(0.5 * log_var) * torch.randn_like(mu)
        return self.decoder(z), mu, log_var


def terms(recon, x, mu, log_var):
    """Gaussian reconstruction NLL and KL, both in nats per image."""
    log_norm = math.log(PIXEL_SIGMA) + 0.5 * math.log(2 * math.pi)
    rec = (0.5 * ((x - recon) / PIXEL_SIGMA) ** 2 + log_norm).sum(1).mean()
    kl = -0.5 * (1 + log_var - mu ** 2 - log_var.exp()).sum(1).mean()
    return rec, kl


model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[28, 36], gamma=0.3)

for epoch in range(1, EPOCHS + 1):
    beta = min(1.0, epoch / WARM_UP_EPOCHS)
    model.train()
    sums = torch.zeros(2)
    for idx in torch.randperm(len(train_x)).split(BATCH):
        x = train_x[idx]
        recon, mu, log_var = model(x)
        rec, kl = terms(recon, x, mu, log_var)
        optimizer.zero_grad()
        (rec + beta * kl).backward()
        optimizer.step()
        sums += torch.tensor([rec.item(), kl.item()]) * len(idx)
    scheduler.step()
    model.eval()
    with torch.no_grad():
        recon, mu, log_var = model(valid_x)
        rec, kl = terms(recon, valid_x, mu, log_var)
        err = (recon - valid_x).pow(2).mean().sqrt()
    if epoch % 4 == 0:
        a, b = (sums / len(train_x)).tolist()
        print(f"{epoch:3d}  beta {beta:.2f}  train rec {a:.2f} kl {b:.2f}  valid rec {rec:.2f} kl {kl:.2f}  pixel rmse {err:.3f}")
