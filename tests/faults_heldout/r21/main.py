import argparse
import math

import torch
from torch import nn
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, d=64, h=80, z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))
        self.log_sigma = nn.Parameter(torch.tensor(-1.0))

    def elbo(self, x, beta=1.0):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        rec = self.dec(z)
        ll = -0.5 * ((x - rec) / self.log_sigma.exp()).pow(2) - self.log_sigma - 0.5 * math.log(2 * math.pi)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1)
        return ll.sum(-1) - beta * kl, kl, rec


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=48)
    ap.add_argument("--warm", type=int, default=10, help="epochs of KL annealing")
    args = ap.parse_args()
    torch.manual_seed(0)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    perm = torch.randperm(len(x))
    train, val = x[perm[300:]], x[perm[:300]]
    vae = VAE()
    opt = torch.optim.Adam(vae.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs)
    for ep in range(args.epochs):
        beta = min(1.0, (ep + 1) / args.warm)
        vae.train()
        s = 0.0
        for b in torch.randperm(len(train)).split(64):
            e, _, _ = vae.elbo(train[b], beta)
            loss = -e.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(b)
        sched.step()
        vae.eval()
        with torch.no_grad():
            e, kl, rec = vae.elbo(val)
        if ep % 8 == 7:
            print(f"epoch {ep + 1} train -ELBO {s / len(train):8.3f} val -ELBO {-e.mean().item():8.3f} "
                  f"KL {kl.mean().item():.2f} rec mse {(rec - val).pow(2).mean().item():.4f} "
                  f"(pixel var {val.var(0).mean().item():.4f})")


if __name__ == "__main__":
    main()
