"""Density estimation with a RealNVP flow; the loss is the mean negative log-density (nats)."""
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, mask, hidden=64):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=1)
        s = 2 * torch.tanh(s / 2) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * torch.exp(s) + t, s.sum(1)


class Flow(nn.Module):
    def __init__(self, dim, layers=6, seed=0):
        super().__init__()
        g = torch.Generator().manual_seed(seed)
        blocks = []
        for i in range(layers):
            if i % 2 == 0:
                mask = torch.zeros(dim)
                mask[torch.randperm(dim, generator=g)[:dim // 2]] = 1.0
            else:
                mask = 1.0 - mask
            blocks.append(Coupling(dim, mask))
        self.blocks = nn.ModuleList(blocks)

    def log_prob(self, x):
        logdet = x.new_zeros(len(x))
        for b in self.blocks:
            x, ld = b(x)
            logdet = logdet + ld
        return (-0.5 * x ** 2 - 0.5 * math.log(2 * math.pi)).sum(1) + logdet


def gaussian_nll(train, x):
    d = torch.distributions.MultivariateNormal(train.mean(0), torch.cov(train.T))
    return -d.log_prob(x).mean().item()


def main():
    torch.manual_seed(0)
    data = torch.from_numpy(np.load(Path(__file__).resolve().parent / "readings.npy"))
    data = data[torch.randperm(len(data))]
    train, val = data[:5000], data[5000:]
    mean, std = train.mean(0), train.std(0)
    train, val = (train - mean) / std, (val - mean) / std
    print(f"full-covariance gaussian: val nll {gaussian_nll(train, val):.3f}")

    flow = Flow(train.shape[1])
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    epochs, bs = 24, 100
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        flow.train()
        total = 0.0
        for idx in torch.randperm(len(train)).split(bs):
            loss = -flow.log_prob(train[idx]).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        flow.eval()
        with torch.no_grad():
            nll = -flow.log_prob(val).mean().item()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1:3d}  train nll {total / len(train):+.3f}  val nll {nll:+.3f}")


if __name__ == "__main__":
    main()
