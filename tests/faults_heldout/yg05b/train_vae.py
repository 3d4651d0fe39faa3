"""Variational autoencoder for low-resolution digit scans (8x8).

Used to pre-compute compact codes for the retrieval demo.
"""
import argparse
import json
import logging
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

OUT = Path(__file__).resolve().parent / "out"
log = logging.getLogger("vae")


class VAE(nn.Module):
    def __init__(self, n_in=64, hidden=256, latent=10):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Linear(n_in, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden // 2), nn.ReLU(),
        )
        self.mu = nn.Linear(hidden // 2, latent)
        self.logvar = nn.Linear(hidden // 2, latent)
        self.dec = nn.Sequential(
            nn.Linear(latent, hidden // 2), nn.ReLU(),
            nn.Linear(hidden // 2, hidden), nn.ReLU(),
            nn.Linear(hidden, n_in),
        )

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return torch.sigmoid(self.dec(z)), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    bce = F.binary_cross_entropy(recon_x, x)
    # 0.5 * sum(1 + log(sigma^2) - mu^2 - sigma^2), Kingma & Welling, appendix B
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld, bce, kld


def get_data(test_size, seed):
    digits = load_digits()
    x = (digits.data / 16.0).astype(np.float32)
    return train_test_split(x, digits.target, test_size=test_size, random_state=seed, stratify=digits.target)


@torch.no_grad()
def evaluate(model, x_train, y_train, x_val, y_val):
    model.eval()
    recon, mu, logvar = model(x_val)
    mu_train, _ = model.encode(x_train)
    knn = KNeighborsClassifier(5).fit(mu_train.numpy(), y_train)
    return {
        "recon_mse": F.mse_loss(recon, x_val).item(),
        "knn_acc": float(knn.score(mu.numpy(), y_val)),
        "loss": loss_function(recon, x_val, mu, logvar)[0].item(),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--latent", type=int, default=10)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=120)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log-interval", type=int, default=10)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    torch.manual_seed(args.seed)
    OUT.mkdir(exist_ok=True)

    x_train, x_val, y_train, y_val = get_data(0.2, args.seed)
    x_train, x_val = torch.from_numpy(x_train), torch.from_numpy(x_val)
    loader = DataLoader(TensorDataset(x_train), batch_size=args.batch_size, shuffle=True)

    model = VAE(x_train.shape[1], args.hidden, args.latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

    best, history = float("inf"), []
    for epoch in range(1, args.epochs + 1):
        model.train()
        sums = np.zeros(3)
        for (xb,) in loader:
            recon, mu, logvar = model(xb)
            loss, bce, kld = loss_function(recon, xb, mu, logvar)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += [loss.item(), bce.item(), kld.item()]
        sums /= len(loader)
        metrics = evaluate(model, x_train, y_train, x_val, y_val)
        history.append({"epoch": epoch, "train": sums.tolist(), **metrics})
        if metrics["recon_mse"] < best:
            best = metrics["recon_mse"]
            torch.save(model.state_dict(), OUT / "vae.pt")
        if epoch % args.log_interval == 0:
            log.info(
                "epoch %d loss %.4f (rec %.4f, kl %.4f) | val mse %.4f knn %.3f",
                epoch, *sums, metrics["recon_mse"], metrics["knn_acc"],
            )
    (OUT / "history.json").write_text(json.dumps(history))
    log.info("best val reconstruction mse %.4f", best)


if __name__ == "__main__":
    main()
