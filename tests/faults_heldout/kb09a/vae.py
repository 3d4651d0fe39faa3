import pathlib
import tomllib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

DIR = pathlib.Path(__file__).parent


class VAE(nn.Module):
    def __init__(self, d=64, h=96, z=10):
        super().__init__()
        self.inp = nn.Linear(d, h)
        self.mu = nn.Linear(h, z)
        self.logvar = nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def encode(self, x):
        h = F.relu(self.inp(x))
        return self.mu(h), self.logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


class Elbo:
    """Reconstruction + beta * KL, both per image."""

    def __init__(self, reduce_pixels, beta):
        self.reduce_pixels = reduce_pixels
        self.beta = beta

    def __call__(self, logits, x, mu, logvar):
        bce = F.binary_cross_entropy_with_logits(logits, x, reduction="none")
        recon = getattr(bce, self.reduce_pixels)(dim=1).mean()
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return recon + self.beta * kl, recon, kl


def main():
    conf = tomllib.load(open(DIR / "vae.toml", "rb"))
    torch.manual_seed(conf["seed"])
    x = torch.from_numpy(np.load(DIR / "glyphs.npy")).float() / 16
    x = x[torch.randperm(len(x))]
    train, test = x[:1500], x[1500:]

    net = VAE(z=conf["latent"])
    objective = Elbo(**conf["objective"])
    opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
    for epoch in range(1, conf["epochs"] + 1):
        net.train()
        sums = np.zeros(3)
        for xb in train[torch.randperm(len(train))].split(conf["batch"]):
            logits, mu, logvar = net(xb)
            loss, recon, kl = objective(logits, xb, mu, logvar)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += np.array([loss.item(), recon.item(), kl.item()]) * len(xb)
        if epoch % 5 == 0:
            net.eval()
            with torch.no_grad():
                err = (torch.sigmoid(net(test)[0]) - test).pow(2).mean().item()
            t, r, k = sums / len(train)
            print(f"epoch {epoch:3d}  loss {t:8.3f}  recon {r:8.3f}  kl {k:7.3f}  test pixel mse {err:.4f}")


if __name__ == "__main__":
    main()
