import argparse
import json

import torch
from sklearn.datasets import load_digits

from losses import vae_loss
from vae import ConvVAE


class Run:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        x = torch.tensor(load_digits().images, dtype=torch.float32)[:, None] / 16.0
        x = x[torch.randperm(len(x))]
        self.train_x, self.test_x = x[:1500], x[1500:]
        self.model = ConvVAE(cfg["latent"], cfg["width"])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])

    def step(self, x):
        recon, mu, logvar = self.model(x)
        loss, rec, kl = vae_loss(recon, x, mu, logvar)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return torch.stack([loss, rec, kl]).detach()

    @torch.no_grad()
    def test(self):
        self.model.eval()
        recon, mu, logvar = self.model(self.test_x)
        _, rec, kl = vae_loss(recon, self.test_x, mu, logvar, self.cfg["kl_weight"])
        self.model.train()
        return rec.item(), kl.item()

    def fit(self):
        for epoch in range(1, self.cfg["epochs"] + 1):
            rows = torch.randperm(len(self.train_x)).split(self.cfg["batch"])
            loss, rec, kl = torch.stack([self.step(self.train_x[i]) for i in rows]).mean(0).tolist()
            if epoch % self.cfg["log_every"] == 0:
                t_rec, t_kl = self.test()
                print(f"epoch {epoch:3d} loss {loss:.4f} rec {rec:.4f} kl {kl:.3f} | test rec {t_rec:.4f} kl {t_kl:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="vae.json")
    Run(json.load(open(ap.parse_args().config))).fit()
