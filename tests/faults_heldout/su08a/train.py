import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description="VAE on the 8x8 digits")
parser.add_argument("--latent", type=int, default=6)
parser.add_argument("--hidden", type=int, default=128)
parser.add_argument("--epochs", type=int, default=40)
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--beta", type=float, default=0.25, help="weight of the KL term")
parser.add_argument("--recon", choices=["mean", "sum"], default="sum", help="pixel reduction of the reconstruction term")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.manual_seed(args.seed)
digits = load_digits()
order = np.random.RandomState(args.seed).permutation(len(digits.data))
images = torch.tensor(digits.data[order] / 16.0, dtype=torch.float32)
labels = digits.target[order]
train_x, test_x = images[:1400], images[1400:]
loader = DataLoader(TensorDataset(train_x), batch_size=args.batch_size, shuffle=True)


class VAE(nn.Module):
    def __init__(self, n_pix, hidden, latent):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_pix, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(
            nn.Linear(latent, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(), nn.Linear(hidden, n_pix)
        )

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def recon_term(logits, x):
    bce = F.binary_cross_entropy_with_logits(logits, x, reduction="none")
    per_image = bce.sum(1) if args.recon == "sum" else bce.mean(1)
    return per_image.mean()


def kl_term(mu, logvar):
    return (-0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1)).mean()


vae = VAE(images.shape[1], args.hidden, args.latent)
opt = torch.optim.Adam(vae.parameters(), lr=args.lr)

for epoch in range(1, args.epochs + 1):
    vae.train()
    stats = []
    for (x,) in loader:
        logits, mu, logvar = vae(x)
        rec, kl = recon_term(logits, x), kl_term(mu, logvar)
        loss = rec + args.beta * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        stats.append((loss.item(), rec.item(), kl.item()))
    if epoch % 5 == 0:
        vae.eval()
        with torch.no_grad():
            mu, _ = vae.encode(test_x)
            mse = F.mse_loss(vae.dec(mu).sigmoid(), test_x).item()
        a, b, c = np.mean(stats, axis=0)
        print(f"epoch {epoch:3d}  loss {a:.4f}  rec {b:.4f}  kl {c:.4f}  test mse {mse:.5f}")

# how much do the codes tell about the digit
with torch.no_grad():
    codes_train, codes_test = vae.encode(train_x)[0].numpy(), vae.encode(test_x)[0].numpy()
probe = LogisticRegression(max_iter=500).fit(codes_train, labels[:1400])
print(f"pixel variance {test_x.var(0).mean().item():.5f}")
print(f"linear probe on the codes: {probe.score(codes_test, labels[1400:]):.3f}")
