"""Mixture density network for an inverse problem with several branches."""
import math

import torch
import torch.nn.functional as F
from torch import nn


def inverse_data(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.rand(n, 1, generator=g)
    x = y + 0.3 * torch.sin(2 * math.pi * y) + 0.02 * torch.randn(n, 1, generator=g)
    return 4.0 * (x - 0.5), y


class MDN(nn.Module):
    def __init__(self, hidden=48, k=5):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.weight = nn.Linear(hidden, k)
        self.mean = nn.Linear(hidden, k)
        self.raw_scale = nn.Linear(hidden, k)
        with torch.no_grad():
            self.mean.bias.copy_(torch.linspace(0.1, 0.9, k))

    def forward(self, x):
        h = self.trunk(x)
        return self.weight(h).log_softmax(1), self.mean(h), F.softplus(self.raw_scale(h) - 1.0) + 5e-3

    def nll(self, x, y):
        logw, mu, sigma = self(x)
        logp = -0.5 * ((y - mu) / sigma) ** 2 - sigma.log() - 0.5 * math.log(2 * math.pi)
        return -torch.logsumexp(logw + logp, dim=1).mean()


def main():
    torch.manual_seed(0)
    x, y = inverse_data(4000, 1)
    xv, yv = inverse_data(1000, 2)
    net = MDN()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    epochs = 25
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(y)).split(100):
            loss = net.nll(x[idx], y[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        if epoch % 4 == 0:
            net.eval()
            with torch.no_grad():
                print(f"epoch {epoch:2d} train nll {total / len(y):+.4f} val nll {net.nll(xv, yv).item():+.4f}")


if __name__ == "__main__":
    main()
