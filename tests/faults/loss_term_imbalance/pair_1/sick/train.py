import argparse
import json
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, latent=8, hidden=128):
        super().__init__()
        self.enc = nn.Linear(64, hidden)
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec1 = nn.Linear(latent, hidden)
        self.dec2 = nn.Linear(hidden, 64)

    def encode(self, x):
        h = torch.relu(self.enc(x))
        return self.mu(h), self.logvar(h)

    def decode(self, z):
        return self.dec2(torch.relu(self.dec1(z)))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.decode(z), mu, logvar


def loss_function(recon, x, mu, logvar, kl_weight):
    bce = F.binary_cross_entropy_with_logits(recon, x, reduction="none").sum(dim=1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1).mean()
    return bce + kl_weight * kl, bce, kl


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=Path, default=Path(__file__).parent / "vae.json")
    cfg = json.loads(parser.parse_args().config.read_text())
    torch.manual_seed(cfg["seed"])
    images = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    images = images[torch.randperm(len(images))]
    train, test = images[:1500], images[1500:]
    model = VAE(cfg["latent"])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        sums = torch.zeros(3)
        for x in train[torch.randperm(len(train))].split(cfg["batch_size"]):
            recon, mu, logvar = model(x)
            terms = loss_function(recon, x, mu, logvar, cfg["kl_weight"])
            optimizer.zero_grad()
            terms[0].backward()
            optimizer.step()
            sums += torch.stack([t.detach() for t in terms]) * len(x) / len(train)
        model.eval()
        with torch.no_grad():
            recon, mu, logvar = model(test)
            elbo, bce, kl = loss_function(recon, test, mu, logvar, cfg["kl_weight"])
            pixel_error = (torch.sigmoid(recon) - test).abs().mean()
        if epoch % 2 == 0:
            print(f"epoch {epoch} train {sums[0]:.2f} (bce {sums[1]:.2f} kl {sums[2]:.2f}) "
                  f"test {elbo:.2f} bce {bce:.2f} kl {kl:.2f} pixel error {pixel_error:.4f}")


if __name__ == "__main__":
    main()
