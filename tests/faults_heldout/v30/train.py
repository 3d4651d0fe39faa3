"""VAE on 8x8 digits."""
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class VAE(nn.Module):
    def __init__(self, latent=6, hidden=96):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 64))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def kl_divergence(mu, logvar):
    return -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1).mean()


def elbo_loss(logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x)
    kl = kl_divergence(mu, logvar)
    return recon + kl, recon, kl


def main():
    torch.manual_seed(0)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    x = x[torch.randperm(len(x))]
    train, val = x[:1500], x[1500:]
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(40):
        model.train()
        sums = torch.zeros(3)
        for xb in train[torch.randperm(len(train))].split(50):
            logits, mu, logvar = model(xb)
            loss, recon, kl = elbo_loss(logits, xb, mu, logvar)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += torch.stack([loss, recon, kl]).detach() * len(xb)
        if epoch % 5 == 4:
            model.eval()
            with torch.no_grad():
                out, _, _ = model(val)
                mse = F.mse_loss(torch.sigmoid(out), val).item()
            s = sums / len(train)
            print(f"epoch {epoch + 1} loss {s[0]:.4f} recon {s[1]:.4f} kl {s[2]:.4f} | val mse {mse:.5f} (variance {val.var(0).mean():.5f})")


if __name__ == "__main__":
    main()
