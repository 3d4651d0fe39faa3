import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--latent", type=int, default=8)
    ap.add_argument("--kl-weight", type=float, default=1.0)
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=0)
    return ap.parse_args()


class VAE(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU())
        self.mu, self.logvar = nn.Linear(64, latent), nn.Linear(64, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 64), nn.ReLU(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def terms(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
    return rec, kl


def main():
    a = parse()
    torch.manual_seed(a.seed)
    x = torch.from_numpy(load_digits().data).float() / 16
    perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(99))
    train, test = x[perm[:1500]], x[perm[1500:]]
    vae = VAE(a.latent)
    opt = torch.optim.Adam(vae.parameters(), lr=a.lr)
    for epoch in range(a.epochs):
        vae.train()
        sums = torch.zeros(2)
        for idx in torch.randperm(len(train)).split(50):
            xb = train[idx]
            out, mu, logvar = vae(xb)
            rec, kl = terms(out, xb, mu, logvar)
            loss = rec + a.kl_weight * kl
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sums += torch.stack([rec.detach(), kl.detach()]) * len(idx)
        if epoch % 3 == 2:
            vae.eval()
            with torch.no_grad():
                out, mu, logvar = vae(test)
                rec, kl = terms(out, test, mu, logvar)
                mse = F.mse_loss(out.sigmoid(), test)
            tr = sums / len(train)
            print(f"epoch {epoch + 1:2d} | train rec {tr[0]:.3f} kl {tr[1]:.3f} | test rec {rec:.3f} kl {kl:.3f} mse {mse:.4f}")


if __name__ == "__main__":
    main()
