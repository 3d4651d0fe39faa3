import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)

images = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
full = TensorDataset(images)
train_set, val_set = random_split(full, [1497, 300], generator=torch.Generator().manual_seed(0))
train_loader = DataLoader(train_set, batch_size=50, shuffle=True)
val_loader = DataLoader(val_set, batch_size=300)

LATENT, EPOCHS, ANNEAL = 8, 40, 10


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU())
        self.mu = nn.Linear(64, LATENT)
        self.logvar = nn.Linear(64, LATENT)
        self.dec = nn.Sequential(nn.Linear(LATENT, 64), nn.ReLU(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64))
        self.log_sigma = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


def terms(model, x):
    """Gaussian reconstruction term and KL, summed over dimensions and averaged over the batch (nats per image)."""
    mean, mu, logvar = model(x)
    density = torch.distributions.Normal(mean, model.log_sigma.exp())
    rec = -density.log_prob(x).sum(1).mean()
    kl = -0.5 * torch.sum(1 + logvar - mu ** 2 - logvar.exp()) / len(x)
    return rec, kl


model = VAE()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)

xt = torch.stack([x for (x,) in train_set])
xv = next(iter(val_loader))[0]
flat = torch.distributions.Normal(xt.mean(0), (xt - xt.mean(0)).pow(2).mean().sqrt())
print(f"mean-image baseline: {-flat.log_prob(xv).sum(1).mean():.2f} nats")

step, warm = 0, ANNEAL * len(train_loader)
for epoch in range(EPOCHS):
    model.train()
    sums = [0.0, 0.0]
    for (x,) in train_loader:
        beta = min(1.0, step / warm)
        rec, kl = terms(model, x)
        loss = rec + beta * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        sums[0] += rec.item() * len(x)
        sums[1] += kl.item() * len(x)
    model.eval()
    with torch.no_grad():
        out = [terms(model, xv) for _ in range(5)]
        vr, vk = (sum(float(o[i]) for o in out) / len(out) for i in (0, 1))
    if epoch % 5 == 4:
        n = len(train_set)
        print(f"epoch {epoch + 1:2d} beta {beta:.2f} | train rec {sums[0] / n:.2f} kl {sums[1] / n:.2f} "
              f"| val rec {vr:.2f} kl {vk:.2f} -elbo {vr + vk:.2f} "
              f"sigma {model.log_sigma.exp():.3f}")
