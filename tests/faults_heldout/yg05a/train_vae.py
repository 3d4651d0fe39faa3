"""Variational autoencoder for low-resolution digit scans (8x8)."""
import argparse
import logging
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from torch import nn

OUT = Path(__file__).resolve().parent / "out"
log = logging.getLogger("vae")


def mlp(*dims):
    layers = []
    for a, b in zip(dims, dims[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return layers


class VAE(nn.Module):
    def __init__(self, n_in=64, hidden=256, latent=10):
        super().__init__()
        self.enc = nn.Sequential(*mlp(n_in, hidden, hidden // 2), nn.Linear(hidden // 2, 2 * latent))
        self.dec = nn.Sequential(*mlp(latent, hidden // 2, hidden), nn.Linear(hidden, n_in))

    def encode(self, x):
        return self.enc(x).chunk(2, dim=-1)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def elbo(logits, x, mu, logvar):
    """Per-sample negative ELBO, averaged over the batch."""
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec + kl, rec, kl


@torch.no_grad()
def evaluate(model, x_train, y_train, x_val, y_val):
    model.eval()
    logits, mu, logvar = model(x_val)
    knn = KNeighborsClassifier(5).fit(model.encode(x_train)[0].numpy(), y_train)
    mse = F.mse_loss(logits.sigmoid(), x_val).item()
    return elbo(logits, x_val, mu, logvar)[0].item(), mse, knn.score(mu.numpy(), y_val)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--latent", type=int, default=10)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=120)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    torch.manual_seed(args.seed)
    OUT.mkdir(exist_ok=True)

    x, y = load_digits(return_X_y=True)
    x = torch.tensor(x, dtype=torch.float32) / 16
    tr, te = train_test_split(range(len(y)), test_size=0.2, random_state=args.seed, stratify=y)
    x_train, x_val = x[tr], x[te]

    model = VAE(x.shape[1], args.hidden, args.latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    best = float("inf")
    for epoch in range(1, args.epochs + 1):
        model.train()
        rec_sum = kl_sum = 0.0
        for idx in torch.randperm(len(x_train)).split(args.batch_size):
            xb = x_train[idx]
            logits, mu, logvar = model(xb)
            loss, rec, kl = elbo(logits, xb, mu, logvar)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rec_sum += rec.item() * len(idx)
            kl_sum += kl.item() * len(idx)
        te_loss, mse, knn = evaluate(model, x_train, y[tr], x_val, y[te])
        if te_loss < best:
            best = te_loss
            torch.save(model.state_dict(), OUT / "vae.pt")
        if epoch % 10 == 0:
            n = len(x_train)
            log.info("epoch %d rec %.2f kl %.2f | val -elbo %.2f mse %.4f knn %.3f",
                     epoch, rec_sum / n, kl_sum / n, te_loss, mse, knn)
    log.info("best val loss %.2f", best)


if __name__ == "__main__":
    main()
