import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

SEED = 0
EPOCHS = 60
WARMUP_EPOCHS = 25
LATENT = 10
FREE_BITS = 0.05

torch.manual_seed(SEED)
np.random.seed(SEED)

images = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
order = torch.randperm(len(images))
train_x, test_x = images[order[:1500]], images[order[1500:]]
loader = DataLoader(TensorDataset(train_x), batch_size=64, shuffle=True, drop_last=True)


class VAE(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 256), nn.ELU(), nn.Linear(256, 128), nn.ELU())
        self.mu = nn.Linear(128, latent)
        self.logvar = nn.Linear(128, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 128), nn.ELU(), nn.Linear(128, 256), nn.ELU(), nn.Linear(256, 64))

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h).clamp(-8, 4)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def kl_per_dim(mu, logvar):
    return 0.5 * (mu ** 2 + logvar.exp() - 1 - logvar)


model = VAE(LATENT)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

for epoch in range(EPOCHS):
    beta = min(1.0, epoch / WARMUP_EPOCHS)
    model.train()
    sums = np.zeros(3)
    for (x,) in loader:
        logits, mu, logvar = model(x)
        rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
        kl = kl_per_dim(mu, logvar).mean(0).clamp_min(FREE_BITS).sum()
        loss = rec + beta * kl
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sums += [loss.item(), rec.item(), kl.item()]
    if epoch % 5 == 4:
        model.eval()
        with torch.no_grad():
            logits, mu, logvar = model(test_x)
            mse = F.mse_loss(torch.sigmoid(logits), test_x).item()
            active = (mu.var(0) > 0.05).sum().item()
        loss_m, rec_m, kl_m = sums / len(loader)
        print(f"epoch {epoch + 1:2d} beta {beta:.2f} loss {loss_m:.2f} rec {rec_m:.2f} kl {kl_m:.2f} | "
              f"test mse {mse:.4f} active dims {active}/{LATENT}")

base = F.mse_loss(train_x.mean(0).expand_as(test_x), test_x).item()
print(f"test mse of the mean image: {base:.4f}")
with torch.no_grad():
    gen = torch.sigmoid(model.dec(torch.randn(500, LATENT)))
print(f"mean nearest-neighbour distance of generated images: {torch.cdist(gen, train_x).min(1).values.mean():.3f}"
      f"  (held-out images: {torch.cdist(test_x, train_x).min(1).values.mean():.3f})")
