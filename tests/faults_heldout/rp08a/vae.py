import math
from dataclasses import dataclass

import numpy as np
import torch
import yaml
from torch import nn


@dataclass
class Settings:
    images: str
    latent: int
    width: int
    obs_std: float
    lr: float
    batch: int
    epochs: int


class GaussianVAE(nn.Module):
    def __init__(self, pixels, s):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(pixels, s.width), nn.ELU(), nn.Linear(s.width, s.width), nn.ELU())
        self.mu = nn.Linear(s.width, s.latent)
        self.logvar = nn.Linear(s.width, s.latent)
        self.dec = nn.Sequential(
            nn.Linear(s.latent, s.width), nn.ELU(), nn.Linear(s.width, s.width), nn.ELU(),
            nn.Linear(s.width, pixels), nn.Sigmoid(),
        )
        self.obs_std = s.obs_std

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar

    def negative_elbo(self, x):
        mean, mu, logvar = self(x)
        var = self.obs_std ** 2
        nll = 0.5 * ((x - mean) ** 2 / var + math.log(2 * math.pi * var)).sum(1)
        kl = 0.5 * (mu ** 2 + logvar.exp() - 1 - logvar).sum(1)
        return (nll + kl).mean(), nll.mean(), kl.mean()


def main():
    with open("vae.yaml") as fh:
        s = Settings(**yaml.safe_load(fh))
    torch.manual_seed(17)
    z = np.load(s.images)
    fit = torch.from_numpy(z["fit"].astype(np.float32) / 16).flatten(1)
    held = torch.from_numpy(z["held"].astype(np.float32) / 16).flatten(1)
    vae = GaussianVAE(fit.shape[1], s)
    opt = torch.optim.Adam(vae.parameters(), lr=s.lr)
    for epoch in range(s.epochs):
        vae.train()
        for idx in torch.randperm(len(fit)).split(s.batch):
            loss, nll, kl = vae.negative_elbo(fit[idx])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
        if epoch % 5 == 4:
            vae.eval()
            with torch.no_grad():
                total, _, _ = vae.negative_elbo(held)
                rec = vae.dec(vae.mu(vae.enc(held)))
            print(f"epoch {epoch + 1} fit {loss.item():.3f} (nll {nll.item():.3f} kl {kl.item():.3f}) "
                  f"held out {total.item():.3f} pixel mse {((rec - held) ** 2).mean().item():.4f}")
    vae.eval()
    with torch.no_grad():
        sample = vae.dec(torch.randn(64, s.latent))
    np.savez_compressed("samples.npz", images=sample.view(-1, 8, 8).numpy())


if __name__ == "__main__":
    main()
