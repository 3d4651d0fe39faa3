"""Additive demand model: every input is expanded in hinge functions max(0, x - knot)."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=25)
ap.add_argument("--knots", type=int, default=20)
ap.add_argument("--seed", type=int, default=40)
args = ap.parse_args()
torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)

n = 4000
temp = rng.normal(11, 8, n)
wind = rng.gamma(2.0, 2.0, n)
price = rng.lognormal(0, 0.35, n)
load = (40 + 2.2 * np.maximum(0, 15 - temp) + 4.0 * np.maximum(0, temp - 23) - 9 * np.log(price)
        + 12 / (1 + np.exp(-(wind - 8))) + rng.normal(0, 3, n))
X = np.stack([temp, wind, price], 1)
cut = 3000
mu, sd = X[:cut].mean(0), X[:cut].std(0)
X = torch.tensor((X - mu) / sd, dtype=torch.float32)
ym, ys = load[:cut].mean(), load[:cut].std()
y = torch.tensor((load - ym) / ys, dtype=torch.float32)


class HingeBasis(nn.Module):
    """knots start at quantiles of the input, denser towards the peaks, and may move"""

    def __init__(self, x, k):
        super().__init__()
        q = torch.quantile(x, 1 - (1 - torch.linspace(0.02, 0.92, k)) ** 2.5, dim=0)
        self.lin = nn.Linear(x.shape[1], k * x.shape[1])
        with torch.no_grad():
            self.lin.weight.copy_(torch.eye(x.shape[1]).repeat(k, 1))
            self.lin.bias.copy_(-q.flatten())
        self.lin.weight.requires_grad_(False)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.lin(x))


basis = HingeBasis(X[:cut], args.knots)
model = nn.Sequential(basis, nn.Linear(basis.lin.out_features, 1))
trainable = [p for p in model.parameters() if p.requires_grad]
opt = torch.optim.Adam(trainable, lr=0.01)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
loader = DataLoader(TensorDataset(X[:cut], y[:cut]), batch_size=32, shuffle=True)
loss_fn = nn.HuberLoss(delta=1.0)

for epoch in range(args.epochs):
    model.train()
    s = 0.0
    for xb, yb in loader:
        loss = loss_fn(model(xb).squeeze(1), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        s += loss.item() * len(xb)
    sched.step()
    model.eval()
    with torch.no_grad():
        err = (model(X[cut:]).squeeze(1) - y[cut:]) * ys
    if epoch % 2 == 0:
        print(f"epoch {epoch:2d} huber {s / cut:.4f}  test rmse {err.pow(2).mean().sqrt().item():.2f} MW "
              f"R2 {1 - err.pow(2).mean().item() / (y[cut:] * ys).var().item():.4f}")
