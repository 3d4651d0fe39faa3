"""Discrete + continuous latent VAE on the 8x8 digit scans.

A Gumbel-softmax category (capacity-controlled) and a small Gaussian code; the
KL weight and the capacity are ramped and the relaxation temperature is annealed.
"""
import dataclasses
import pathlib

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

HERE = pathlib.Path(__file__).parent


@dataclasses.dataclass(frozen=True)
class HParams:
    z: int = 6
    k: int = 10
    hidden: int = 160
    epochs: int = 40
    ramp_epochs: int = 20
    batch: int = 50
    lr: float = 1.5e-3
    cat_capacity: float = 2.0
    cat_weight: float = 8.0
    tau_start: float = 1.0
    tau_end: float = 0.5
    seed: int = 7


class VAE(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.hp = hp
        self.enc = nn.Sequential(nn.Linear(64, hp.hidden), nn.SiLU(), nn.Linear(hp.hidden, hp.hidden), nn.SiLU())
        self.to_mu = nn.Linear(hp.hidden, hp.z)
        self.to_logvar = nn.Linear(hp.hidden, hp.z)
        self.to_cat = nn.Linear(hp.hidden, hp.k)
        self.dec = nn.Sequential(nn.Linear(hp.z + hp.k, hp.hidden), nn.SiLU(),
                                 nn.Linear(hp.hidden, hp.hidden), nn.SiLU(), nn.Linear(hp.hidden, 64))

    def forward(self, x, tau):
        h = self.enc(2 * x - 1)
        mu, logvar, cat = self.to_mu(h), self.to_logvar(h), self.to_cat(h)
        if self.training:
            z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
            c = F.gumbel_softmax(cat, tau=tau, hard=False)
        else:
            z = mu
            c = F.one_hot(cat.argmax(-1), self.hp.k).float()
        return self.dec(torch.cat([z, c], -1)), mu, logvar, cat


def elbo_parts(logits, x, mu, logvar, cat):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl_z = (-0.5 * (1 + logvar - mu.pow(2) - logvar.exp())).sum(1).mean()
    logq = F.log_softmax(cat, -1)
    kl_c = (logq.exp() * (logq + np.log(cat.shape[1]))).sum(1).mean()
    return rec, kl_z, kl_c


def main():
    hp = HParams()
    torch.manual_seed(hp.seed)
    raw = np.load(HERE / "data" / "digits8x8.npz")
    x = torch.from_numpy(raw["x"]).float().view(-1, 64) / 16.0
    train, held = x[:1500], x[1500:]
    loader = DataLoader(TensorDataset(train), batch_size=hp.batch, shuffle=True)
    net = VAE(hp)
    opt = optim.Adam(net.parameters(), lr=hp.lr)
    base = (held - train.mean(0)).pow(2).mean().item()

    for epoch in range(hp.epochs):
        beta = min(1.0, epoch / hp.ramp_epochs)
        cap = hp.cat_capacity * beta
        tau = hp.tau_start + (hp.tau_end - hp.tau_start) * epoch / (hp.epochs - 1)
        net.train()
        s = np.zeros(4)
        for (xb,) in loader:
            out, mu, lv, cat = net(xb, tau)
            rec, kz, kc = elbo_parts(out, xb, mu, lv, cat)
            loss = rec + beta * kz + hp.cat_weight * (kc - cap).abs()
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += np.array([loss.item(), rec.item(), kz.item(), kc.item()]) * len(xb)
        s /= len(train)
        if epoch % 4 == 0 or epoch == hp.epochs - 1:
            net.eval()
            with torch.no_grad():
                out, mu, lv, cat = net(held, tau)
                r, kz, kc = elbo_parts(out, held, mu, lv, cat)
                mse = (out.sigmoid() - held).pow(2).mean().item()
            print(f"epoch {epoch:2d} beta {beta:.2f} loss {s[0]:.3f} rec {s[1]:.3f} klz {s[2]:.3f} klc {s[3]:.3f} | "
                  f"held rec {r:.3f} kl {kz + kc:.3f} mse {mse:.4f} (mean image {base:.4f})")


if __name__ == "__main__":
    main()
