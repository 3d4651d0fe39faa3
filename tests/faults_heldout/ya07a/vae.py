"""Variational autoencoder for 8x8 meter digits, used later for anomaly scoring."""
import json
import time
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CONFIG = Path(__file__).with_name("vae.json")


class DigitVAE(nn.Module):
    def __init__(self, latent, width):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(64, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2 * latent)
        )
        self.decoder = nn.Sequential(
            nn.Linear(latent, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 64)
        )

    def forward(self, x):
        mu, logvar = self.encoder(x).chunk(2, dim=-1)
        z = mu
        if self.training:
            z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.decoder(z), mu, logvar


class Objective:
    def __init__(self, kl_weight):
        self.kl_weight = kl_weight

    def __call__(self, recon, x, mu, logvar):
        rec = nn.functional.mse_loss(recon, x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=-1).mean()
        return rec + self.kl_weight * kl, rec, kl


class Run:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        images = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
        train, valid = train_test_split(images, test_size=0.2, random_state=cfg["seed"])
        self.train_loader = DataLoader(TensorDataset(train), batch_size=cfg["batch_size"], shuffle=True)
        self.valid = valid
        self.model = DigitVAE(cfg["latent"], cfg["width"])
        self.objective = Objective(cfg["kl_weight"])
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])

    def epoch(self):
        self.model.train()
        sums = torch.zeros(3)
        for (x,) in self.train_loader:
            loss, rec, kl = self.objective(*self._pack(x))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            sums += torch.stack([loss, rec, kl]).detach()
        return (sums / len(self.train_loader)).tolist()

    def _pack(self, x):
        recon, mu, logvar = self.model(x)
        return recon, x, mu, logvar

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        _, rec, kl = self.objective(*self._pack(self.valid))
        return rec.item(), kl.item()

    def fit(self):
        began = time.time()
        for n in range(1, self.cfg["epochs"] + 1):
            loss, rec, kl = self.epoch()
            if n % 5 == 0 or n == 1:
                v_rec, v_kl = self.validate()
                print(f"epoch {n:3d} loss {loss:.4f} rec {rec:.4f} kl {kl:.3f} | valid rec {v_rec:.4f} kl {v_kl:.3f}")
        baseline = (self.valid - self.valid.mean(0)).pow(2).mean().item()
        print(f"valid reconstruction {self.validate()[0]:.4f}, mean-image reference {baseline:.4f}")
        print(f"done in {time.time() - began:.1f}s")


if __name__ == "__main__":
    Run(json.loads(CONFIG.read_text())).fit()
