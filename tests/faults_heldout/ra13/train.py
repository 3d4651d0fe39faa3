"""RealNVP density of standardised, tightly clustered sensor calibration points."""
import argparse
import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        self.flip, self.half = flip, dim // 2
        self.net = nn.Sequential(nn.Linear(self.half, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x.chunk(2, -1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, -1)
        s = 2.5 * torch.tanh(s / 2.5)
        b = b * s.exp() + t
        return torch.cat((b, a) if self.flip else (a, b), -1), s.sum(-1)


class Flow(nn.Module):
    def __init__(self, dim, layers, hidden):
        super().__init__()
        self.blocks = nn.ModuleList(Coupling(dim, hidden, i % 2 == 1) for i in range(layers))

    def log_prob(self, x):
        ld = 0.0
        for blk in self.blocks:
            x, d = blk(x)
            ld = ld + d
        return (-0.5 * x.pow(2) - 0.5 * math.log(2 * math.pi)).sum(-1) + ld


def points(n, g):
    u = torch.rand(n, 2, generator=g) * 2 - 1
    a, b = u[:, 0], u[:, 1]
    clean = torch.stack([a, b, a * b, torch.sin(2 * a) - 0.5 * b ** 2], 1)
    return clean + 0.01 * torch.randn(n, 4, generator=g)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--layers", type=int, default=6)
    ap.add_argument("--hidden", type=int, default=48)
    ap.add_argument("--iters", type=int, default=700)
    a = ap.parse_args()
    torch.manual_seed(1)
    g = torch.Generator().manual_seed(2)
    train, held = points(6000, g), points(1500, g)
    mu, sd = train.mean(0), train.std(0)
    train, held = (train - mu) / sd, (held - mu) / sd
    flow = Flow(4, a.layers, a.hidden)
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.iters)
    for it in range(a.iters):
        x = train[torch.randint(len(train), (256,))]
        loss = -flow.log_prob(x).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        sched.step()
        if it % 70 == 69:
            with torch.no_grad():
                h = -flow.log_prob(held).mean()
            print(f"iter {it + 1} nll {loss.item():.3f} held-out nll {h.item():.3f}")


if __name__ == "__main__":
    main()
