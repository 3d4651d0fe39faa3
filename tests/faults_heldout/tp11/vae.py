"""Variational autoencoder for Raman-like spectra with one peak family."""
import numpy as np
import torch
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from torch import nn

BINS = 40


def spectra(n, seed):
    r = np.random.default_rng(seed)
    grid = np.linspace(0, 1, BINS)
    pos, width = np.clip(r.normal(0.5, 0.09, n), 0.25, 0.75), np.clip(r.normal(0.085, 0.018, n), 0.04, 0.14)
    amp = np.clip(r.normal(0.9, 0.15, n), 0.4, 1.4)
    s = amp[:, None] * np.exp(-0.5 * ((grid - pos[:, None]) / width[:, None]) ** 2)
    s += 0.25 * amp[:, None] * np.exp(-0.5 * ((grid - pos[:, None] + 0.22) / 0.04) ** 2)
    s += r.normal(0, 0.06, s.shape)
    return torch.tensor(s, dtype=torch.float32), np.stack([pos, width, amp], 1)


class SpectrumVAE(nn.Module):
    def __init__(self, latent=6, width=96):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(BINS, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.mu, self.logvar = nn.Linear(width, latent), nn.Linear(width, latent)
        self.dec = nn.Sequential(nn.Linear(latent, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, BINS))
        self.log_sigma = nn.Parameter(torch.tensor(-2.0))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar

    def terms(self, x):
        rec, mu, logvar = self(x)
        sigma = self.log_sigma.exp()
        nll = (0.5 * ((x - rec) / sigma) ** 2 + self.log_sigma + 0.9189385).sum(1).mean()
        kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
        return nll, kl


def main(seed=13, epochs=36):
    torch.manual_seed(seed)
    xtr, ftr = spectra(4000, seed)
    xva, fva = spectra(1000, seed + 1)
    mean = xtr.mean(0)
    xtr, xva = xtr - mean, xva - mean
    vae = SpectrumVAE()
    opt = torch.optim.Adam(vae.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for ep in range(1, epochs + 1):
        vae.train()
        tn = tk = 0.0
        for idx in torch.randperm(len(xtr)).split(50):
            nll, kl = vae.terms(xtr[idx])
            loss = nll + kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            tn += nll.item() * len(idx) / len(xtr)
            tk += kl.item() * len(idx) / len(xtr)
        sched.step()
        vae.eval()
        with torch.no_grad():
            vn, vk = vae.terms(xva)
        if ep % 4 == 0 or ep == 1:
            print(f"epoch {ep:2d}  nll {tn:8.2f}  kl {tk:5.2f}  -elbo {tn + tk:8.2f} | val nll {vn:8.2f} kl {vk:5.2f} "
                  f"sigma {vae.log_sigma.exp().item():.3f}")
    with torch.no_grad():
        _, mtr, _ = vae(xtr)
        rec, mva, lva = vae(xva)
        made = vae.dec(torch.randn(1000, 6)) + mean
    used = (mva.var(0) > 0.1).sum().item()
    knn = KNeighborsRegressor(15).fit(mtr.numpy(), ftr).predict(mva.numpy())
    r2 = 1 - ((knn - fva) ** 2).sum(0) / ((fva - fva.mean(0)) ** 2).sum(0)
    print(f"latent units in use: {used} of 6; position/width/amplitude from the latent code: r2 {np.round(r2, 2)}")
    print(f"reconstruction rmse {((rec - xva) ** 2).mean().sqrt().item():.4f}, spread of the data {xva.std().item():.4f}")
    print(f"drawn spectra: mean {made.mean().item():.3f} (data {(xva + mean).mean().item():.3f}), "
          f"highest bin {made.max(1).values.mean().item():.3f} (data {rec.add(mean).max(1).values.mean().item():.3f})")


if __name__ == "__main__":
    main()
