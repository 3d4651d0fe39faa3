"""Variational autoencoder on 8x8 digits, encoder and decoder with their own optimizers."""
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class Encoder(nn.Module):
    def __init__(self, z=6):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 2 * z))

    def forward(self, x):
        mu, logvar = self.body(x).chunk(2, dim=1)
        return mu, logvar.clamp(-8, 4)


class Decoder(nn.Module):
    def __init__(self, z=6):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(z, 128), nn.Tanh(), nn.Linear(128, 64))

    def forward(self, z):
        return self.body(z)


class VAETrainer:
    def __init__(self, lr_enc=2e-3, lr_dec=2e-3, beta=1.0):
        self.enc, self.dec, self.beta = Encoder(), Decoder(), beta
        self.optims = {
            "enc": torch.optim.Adam(self.enc.parameters(), lr=lr_enc),
            "dec": torch.optim.Adam(self.dec.parameters(), lr=lr_dec),
        }

    def elbo_terms(self, x, sample=True):
        mu, logvar = self.enc(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if sample else mu
        rec = F.binary_cross_entropy_with_logits(self.dec(z), x, reduction="none").sum(1).mean()
        kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
        return rec, kl

    def step(self, x):
        self.enc.zero_grad()
        rec, kl = self.elbo_terms(x)
        (rec + self.beta * kl).backward()
        for opt in self.optims.values():
            opt.step()
        return rec.item(), kl.item()

    @torch.no_grad()
    def evaluate(self, x):
        rec, kl = self.elbo_terms(x)
        return rec.item(), kl.item()


def main():
    torch.manual_seed(33)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
    x = x[torch.randperm(len(x))]
    train, test = x[:1500], x[1500:]
    trainer = VAETrainer()
    for epoch in range(40):
        recs, kls = [], []
        for idx in torch.randperm(len(train)).split(50):
            r, k = trainer.step(train[idx])
            recs.append(r)
            kls.append(k)
        if epoch % 4 == 3:
            r, k = trainer.evaluate(test)
            print(f"epoch {epoch + 1:2d}  train rec {sum(recs) / len(recs):.2f} kl {sum(kls) / len(kls):.2f}  test -elbo {r + k:.2f}")


if __name__ == "__main__":
    main()
