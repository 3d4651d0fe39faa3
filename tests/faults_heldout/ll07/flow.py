"""
Density of six pump sensors with a RealNVP flow; used later for anomaly scores.
Reports the negative log likelihood per reading (standardised units), next to a full-covariance Gaussian.
"""
import argparse
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)      # identity map at the start
        nn.init.zeros_(self.net[-1].bias)

    def _st(self, kept):
        s, t = self.net(kept).chunk(2, 1)
        free = 1 - self.mask
        return 2.0 * torch.tanh(s / 2.0) * free, t * free

    def forward(self, x):
        kept = x * self.mask
        s, t = self._st(kept)
        return kept + (1 - self.mask) * (x * s.exp() + t), s.sum(1)

    def inverse(self, y):
        kept = y * self.mask
        s, t = self._st(kept)
        return kept + (1 - self.mask) * ((y - t) * (-s).exp())


class RealNVP(nn.Module):
    def __init__(self, dim, layers, hidden):
        super().__init__()
        masks = []
        for i in range(layers):
            m = (torch.arange(dim) % 2).float() if i < layers // 2 else (torch.arange(dim) < dim // 2).float()
            masks.append(m if i % 2 else 1 - m)
        self.layers = nn.ModuleList(Coupling(dim, hidden, m) for m in masks)
        self.dim = dim

    def log_prob(self, x):
        logdet = x.new_zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * x.square().sum(1) - 0.5 * self.dim * math.log(2 * math.pi) + logdet

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, self.dim)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


def gaussian_nll(train, val):
    d = torch.distributions.MultivariateNormal(train.mean(0), torch.cov(train.T))
    return -d.log_prob(val).mean().item()


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--epochs", type=int, default=36)
    ap.add_argument("--layers", type=int, default=8)
    ap.add_argument("--hidden", type=int, default=40)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--batch", type=int, default=128)
    args = ap.parse_args()

    torch.manual_seed(14)
    raw = torch.from_numpy(np.load(Path(__file__).with_name("pump_sensors.npz"))["x"])
    raw = raw[torch.randperm(len(raw))]
    train, val, test = raw[:4500], raw[4500:5250], raw[5250:]
    mu, sd = train.mean(0), train.std(0)
    train, val, test = ((p - mu) / sd for p in (train, val, test))
    print(f"gaussian baseline: val nll {gaussian_nll(train, val):.3f}")

    flow = RealNVP(6, args.layers, args.hidden)
    opt = torch.optim.Adam(flow.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    for epoch in range(1, args.epochs + 1):
        flow.train()
        acc = 0.0
        for idx in torch.randperm(len(train)).split(args.batch):
            loss = -flow.log_prob(train[idx]).mean()
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
            opt.step()
            acc += loss.item() * len(idx)
        sched.step()
        flow.eval()
        with torch.no_grad():
            v = -flow.log_prob(val).mean().item()
        if epoch % 3 == 0 or epoch == 1:
            print(f"epoch {epoch:3d}  train nll {acc / len(train):7.3f}  val nll {v:7.3f}")

    with torch.no_grad():
        print(f"test nll {-flow.log_prob(test).mean().item():.3f}")
    fake = flow.sample(2000)
    gap = (torch.corrcoef(fake.T) - torch.corrcoef(test.T)).abs().max().item()
    print(f"largest difference between sampled and measured correlations: {gap:.3f}")


if __name__ == "__main__":
    main()
