import json
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

HERE = Path(__file__).resolve().parent
cfg = json.loads((HERE / "vae.json").read_text())


class VAE(nn.Module):
    def __init__(self, n_in=64, hidden=128, latent=8):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(n_in, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU()
        )
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(),
            nn.Linear(hidden, n_in),
        )

    def encode(self, x):
        h = self.encoder(x)
        return self.mu(h), self.logvar(h).clamp(-8, 4)

    @torch.no_grad()
    def sample_latent(self, mu, logvar):
        if not self.training:
            return mu
        eps = torch.randn_like(mu)
        return mu + eps * (0.5 * logvar).exp()

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.sample_latent(mu, logvar)
        return self.decoder(z), mu, logvar

    @torch.no_grad()
    def generate(self, n):
        z = torch.randn(n, self.mu.out_features)
        return self.decoder(z).sigmoid()


def elbo_terms(model, x):
    logits, mu, logvar = model(x)
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec, kl


def latent_probe(model, xtr, ytr, xte, yte):
    model.eval()
    with torch.no_grad():
        a, b = model.encode(xtr)[0].numpy(), model.encode(xte)[0].numpy()
    clf = LogisticRegression(max_iter=500).fit(a, ytr)
    return clf.score(b, yte)


def main():
    torch.manual_seed(cfg["seed"])
    x, y = load_digits(return_X_y=True)
    x = torch.tensor(x / 16.0, dtype=torch.float32)
    xtr, xte, ytr, yte = train_test_split(x, y, test_size=0.25, random_state=cfg["seed"], stratify=y)
    model = VAE(latent=cfg["latent"], hidden=cfg["hidden"])
    opt = torch.optim.RMSprop(model.parameters(), lr=cfg["lr"])

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        beta = cfg["beta"] * min(1.0, epoch / cfg["kl_warmup"])
        rec_sum = kl_sum = 0.0
        batches = torch.randperm(len(xtr)).split(cfg["batch_size"])
        for idx in batches:
            rec, kl = elbo_terms(model, xtr[idx])
            loss = rec + beta * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            rec_sum += rec.item()
            kl_sum += kl.item()
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                rec, kl = elbo_terms(model, xte)
            print(
                f"epoch {epoch:3d} train rec {rec_sum / len(batches):.3f} kl {kl_sum / len(batches):.3f}"
                f" | test rec {rec.item():.3f} kl {kl.item():.3f}"
            )

    print(f"linear probe on latent means: {latent_probe(model, xtr, ytr, xte, yte):.3f}")
    s = model.generate(256)
    print(f"samples: mean {s.mean().item():.3f}, pixel std {s.std(0).mean().item():.3f}")


if __name__ == "__main__":
    main()
