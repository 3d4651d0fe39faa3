"""RealNVP density model of two small crescents (coordinates in metres)."""
import math

import torch
from torch import nn
from sklearn.datasets import make_moons


class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        self.flip = flip
        half = dim // 2
        self.net = nn.Sequential(nn.Linear(half, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, 2 * half))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        s = 2 * torch.tanh(s / 2)
        b = b * s.exp() + t
        out = torch.cat([b, a] if self.flip else [a, b], dim=1)
        return out, s.sum(1)


class Flow(nn.Module):
    def __init__(self, dim=2, layers=6, hidden=48, loc=0.0, scale=1.0):
        super().__init__()
        self.register_buffer("loc", loc)
        self.register_buffer("scale", scale)
        self.layers = nn.ModuleList(Coupling(dim, hidden, i % 2 == 1) for i in range(layers))

    def log_prob(self, x):
        z = (x - self.loc) / self.scale
        logdet = -self.scale.log().sum().expand(len(x))
        for l in self.layers:
            z, ld = l(z)
            logdet = logdet + ld
        base = -0.5 * (z ** 2).sum(1) - z.size(1) / 2 * math.log(2 * math.pi)
        return base + logdet


def sample(n, seed):
    x, _ = make_moons(n, noise=0.06, random_state=seed)
    return torch.tensor(x * 0.05, dtype=torch.float32)


def main():
    torch.manual_seed(1)
    train, val = sample(3000, 0), sample(1000, 1)
    flow = Flow(loc=train.mean(0), scale=train.std(0))
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=30)
    for epoch in range(30):
        flow.train()
        perm = torch.randperm(len(train))
        s = 0.0
        for idx in perm.split(128):
            loss = -flow.log_prob(train[idx]).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
            opt.step()
            s += loss.item() * len(idx)
        sched.step()
        flow.eval()
        with torch.no_grad():
            v = -flow.log_prob(val).mean().item()
        print(f"epoch {epoch:02d} nll {s / len(train):.3f} val nll {v:.3f}")


if __name__ == "__main__":
    main()
