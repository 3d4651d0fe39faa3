import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn


def make_adam(params, lr, slow=0.999, fast=0.9, eps=1e-8):
    """Adam with named averaging constants: `fast` for the gradient, `slow` for its square."""
    return torch.optim.Adam(params, lr=lr, betas=(slow, fast), eps=eps)


class VAE(nn.Module):
    def __init__(self, d=64, h=128, z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ELU(), nn.Linear(h, h), nn.ELU())
        self.mu, self.logvar = nn.Linear(h, z), nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ELU(), nn.Linear(h, h), nn.ELU(), nn.Linear(h, d))

    def forward(self, x):
        e = self.enc(x)
        mu, logvar = self.mu(e), self.logvar(e)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def neg_elbo(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1)
    kl = 0.5 * (mu.pow(2) + logvar.exp() - 1 - logvar).sum(1)
    return rec.mean(), kl.mean()


torch.manual_seed(1)
X = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
train, held = train_test_split(X, test_size=0.2, random_state=0)

EPOCHS, BATCH = 60, 64
vae = VAE()
optimizer = make_adam(vae.parameters(), lr=2e-3)

for epoch in range(1, EPOCHS + 1):
    vae.train()
    tot = 0.0
    for idx in torch.randperm(len(train)).split(BATCH):
        x = train[idx]
        out, mu, logvar = vae(x)
        rec, kl = neg_elbo(out, x, mu, logvar)
        loss = rec + kl
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        tot += loss.item() * len(x)
    if epoch % 5 == 0:
        vae.eval()
        with torch.no_grad():
            out, mu, logvar = vae(held)
            rec, kl = neg_elbo(out, held, mu, logvar)
        print(f"epoch {epoch:2d}  train -ELBO {tot / len(train):.3f}  held-out rec {rec.item():.3f} kl {kl.item():.3f}")
