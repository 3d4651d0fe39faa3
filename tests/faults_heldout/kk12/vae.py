"""Variational autoencoder for 8x8 digits with a 2-10 dimensional code."""
import argparse
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier


@dataclass
class Losses:
    recon: torch.Tensor
    kl: torch.Tensor

    @property
    def total(self):
        return self.recon + self.kl


class VAE(nn.Module):
    def __init__(self, d=64, hidden=128, code=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU())
        self.mu = nn.Linear(hidden, code)
        self.logvar = nn.Linear(hidden, code)
        self.dec = nn.Sequential(nn.Linear(code, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, d))

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo(logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1).mean()
    return Losses(recon, kl)


def probe(model, x_tr, y_tr, x_te, y_te):
    """How much of the digit identity survives in the code."""
    model.eval()
    with torch.no_grad():
        a, b = model.encode(x_tr)[0].numpy(), model.encode(x_te)[0].numpy()
        mse = F.mse_loss(torch.sigmoid(model.dec(torch.from_numpy(b))), x_te).item()
    knn = KNeighborsClassifier(5).fit(a, y_tr)
    return knn.score(b, y_te), mse


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--code", type=int, default=8)
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=2e-3)
    a = ap.parse_args()
    torch.manual_seed(13)
    d = load_digits()
    x = torch.tensor(d.data / 16.0, dtype=torch.float32)
    perm = torch.randperm(len(x))
    tr, te = perm[:1400], perm[1400:]
    y = d.target
    model = VAE(code=a.code)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    for epoch in range(1, a.epochs + 1):
        model.train()
        r = k = 0.0
        order = tr[torch.randperm(len(tr))]
        for xb in x[order].split(70):
            logits, mu, logvar = model(xb)
            parts = elbo(logits, xb, mu, logvar)
            opt.zero_grad()
            parts.total.backward()
            opt.step()
            r += parts.recon.item()
            k += parts.kl.item()
        if epoch % 5 == 0:
            acc, mse = probe(model, x[tr], y[tr], x[te], y[te])
            print(f"epoch {epoch:3d} recon {r / 20:.4f} kl {k / 20:.4f} | test mse {mse:.4f} knn on code {acc:.3f}")


if __name__ == "__main__":
    main()
