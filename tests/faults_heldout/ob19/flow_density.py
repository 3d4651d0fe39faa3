"""RealNVP density model of 2-D stage positions (in millimetres)."""
import math

import numpy as np
import torch
from sklearn.datasets import make_moons
from torch import nn


class Coupling(nn.Module):
    def __init__(self, swap, hidden=64):
        super().__init__()
        self.swap = swap
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, z):
        a, b = z[:, :1], z[:, 1:]
        if self.swap:
            a, b = b, a
        log_s, t = self.net(a).chunk(2, dim=1)
        log_s = 2.0 * torch.tanh(log_s / 2.0)
        b = b * log_s.exp() + t
        z = torch.cat([b, a] if self.swap else [a, b], dim=1)
        return z, log_s.squeeze(1)


class RealNVP(nn.Module):
    def __init__(self, n_layers, loc, scale):
        super().__init__()
        self.register_buffer("loc", loc)
        self.register_buffer("scale", scale)
        self.layers = nn.ModuleList(Coupling(swap=bool(i % 2)) for i in range(n_layers))

    def log_prob(self, x):
        z = (x - self.loc) / self.scale
        logdet = -self.scale.log().sum().expand(len(x))
        for layer in self.layers:
            z, ld = layer(z)
            logdet = logdet + ld
        base = -0.5 * (z**2).sum(1) - math.log(2 * math.pi)
        return base + logdet


def sample_positions(n, seed):
    xy, _ = make_moons(n, noise=0.06, random_state=seed)
    return torch.tensor(xy * 0.18 + np.array([4.2, -1.1]), dtype=torch.float32)


def main():
    torch.manual_seed(4)
    train, val = sample_positions(4000, 0), sample_positions(1000, 1)
    model = RealNVP(6, train.mean(0), train.std(0))
    epochs, batch = 20, 128
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)

    for epoch in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train)).split(batch):
            nll = -model.log_prob(train[idx]).mean()
            optimizer.zero_grad()
            nll.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            total += nll.item() * len(idx)
        scheduler.step()
        model.eval()
        with torch.no_grad():
            val_nll = -model.log_prob(val).mean().item()
        print(f"epoch {epoch + 1:2d}  train nll {total / len(train):+.4f}  val nll {val_nll:+.4f}")


if __name__ == "__main__":
    main()
