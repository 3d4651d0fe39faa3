"""Convolution-free VAE on digits, Bernoulli decoder, KL annealing over the first half of training."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, d=64, h=128, z=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Linear(h, h), nn.GELU())
        self.mu, self.logvar = nn.Linear(h, z), nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.GELU(), nn.Linear(h, h), nn.GELU(), nn.Linear(h, d))

    def forward(self, x):
        e = self.enc(x)
        mu, logvar = self.mu(e), self.logvar(e)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def terms(model, x):
    """Reconstruction and KL in nats for each image."""
    out, mu, logvar = model(x)
    rec = F.binary_cross_entropy_with_logits(out, x, reduction="none").sum(1)
    kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1)
    return rec.mean(), kl.mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=50)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    a = p.parse_args()
    torch.manual_seed(31)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    x = x[torch.randperm(len(x))]
    xtr, xte = x[:1400], x[1400:]
    prior = xtr.mean(0).clamp(1e-3, 1 - 1e-3)
    print("mean-image NLL on test:", F.binary_cross_entropy(prior.expand_as(xte), xte, reduction="none").sum(1).mean().item())
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    total = a.epochs * (len(xtr) // a.batch)
    step = 0
    for ep in range(a.epochs):
        model.train()
        acc = torch.zeros(3)
        perm = torch.randperm(len(xtr))[: len(xtr) // a.batch * a.batch]
        for idx in perm.split(a.batch):
            beta = min(1.0, step / (0.5 * total))
            rec, kl = terms(model, xtr[idx])
            loss = rec + beta * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc += torch.stack([loss, rec, kl]).detach()
            step += 1
        model.eval()
        with torch.no_grad():
            rec, kl = terms(model, xte)
        l, r, k = (acc / (len(perm) // a.batch)).tolist()
        if ep % 5 == 4:
            print(f"epoch {ep+1:3d} beta {beta:.2f} loss {l:.2f} (rec {r:.2f} kl {k:.2f}) | test -ELBO {rec+kl:.2f} (rec {rec:.2f} kl {kl:.2f})")


if __name__ == "__main__":
    main()
