"""VAE on 8x8 digit images; the latent codes feed the retrieval demo."""
import json
from dataclasses import dataclass
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from vae import VAE, elbo_terms


@dataclass
class Config:
    latent: int
    hidden: int
    lr: float
    batch_size: int
    epochs: int
    kl_weight: float
    kl_anneal_epochs: int
    seed: int

    @classmethod
    def read(cls, path):
        return cls(**json.loads(Path(path).read_text()))


def images():
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
    return train_test_split(x, test_size=0.2, random_state=1)


def run(cfg):
    torch.manual_seed(cfg.seed)
    train_x, test_x = images()
    model = VAE(train_x.shape[1], cfg.hidden, cfg.latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)

    for epoch in range(1, cfg.epochs + 1):
        weight = cfg.kl_weight * min(1.0, epoch / max(1, cfg.kl_anneal_epochs))
        model.train()
        sums = torch.zeros(2)
        for idx in torch.randperm(len(train_x)).split(cfg.batch_size):
            x = train_x[idx]
            logits, mu, logvar = model(x)
            rec, kl = elbo_terms(logits, x, mu, logvar)
            loss = rec + weight * kl
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.tensor([rec.item(), kl.item()]) * len(idx)
        rec_tr, kl_tr = (sums / len(train_x)).tolist()

        model.eval()
        with torch.no_grad():
            logits, mu, logvar = model(test_x)
            rec_te, kl_te = elbo_terms(logits, test_x, mu, logvar)
            pixel = torch.mean((torch.sigmoid(logits) - test_x) ** 2)
        if epoch % 4 == 0 or epoch == 1:
            print(f"{epoch:3d} | train rec {rec_tr:6.2f} kl {kl_tr:5.2f} | test rec {rec_te:6.2f} kl {kl_te:5.2f} "
                  f"pixel mse {pixel:.4f}")


if __name__ == "__main__":
    run(Config.read(Path(__file__).with_name("vae.json")))
