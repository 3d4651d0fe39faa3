import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, in_dim=64, hidden=128, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(in_dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.to_mu = nn.Linear(hidden, latent)
        self.to_logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, in_dim))

    def encode(self, x):
        h = self.enc(x)
        return self.to_mu(h), self.to_logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


def elbo_terms(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1).mean()
    return rec, kl


def batches(x, size):
    perm = torch.randperm(len(x))
    for chunk in perm.split(size):
        yield x[chunk]


@torch.no_grad()
def report(model, x):
    model.eval()
    mu, logvar = model.encode(x)
    mse = F.mse_loss(torch.sigmoid(model.dec(mu)), x).item()
    kl_dim = (-0.5 * (1 + logvar - mu.pow(2) - logvar.exp())).mean(0)
    model.train()
    return mse, kl_dim


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=50)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--latent", type=int, default=8)
    ap.add_argument("--beta", type=float, default=1.0)
    args = ap.parse_args()

    torch.manual_seed(0)
    x = torch.from_numpy(load_digits().data.astype(np.float32) / 16.0)
    x = x[torch.randperm(len(x))]
    train, test = x[:1500], x[1500:]
    model = VAE(latent=args.latent)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        sums = np.zeros(2)
        count = 0
        for xb in batches(train, args.batch_size):
            logits, mu, logvar = model(xb)
            rec, kl = elbo_terms(logits, xb, mu, logvar)
            loss = rec + args.beta * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += [rec.item(), kl.item()]
            count += 1
        if epoch % 5 == 0:
            mse, kl_dim = report(model, test)
            r, k = sums / count
            print(f"epoch {epoch:3d} rec {r:.4f} kl {k:.4f} | test mse {mse:.4f} pixel var {test.var(0).mean():.4f} kl/dim "
                  + " ".join(f"{v:.2f}" for v in kl_dim.tolist()))


if __name__ == "__main__":
    main()
