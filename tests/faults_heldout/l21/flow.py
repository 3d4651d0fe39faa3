"""Density of turbine (wind speed, power) residuals with a RealNVP; the score is used as an outlier threshold."""
import math
import pathlib

import numpy as np
import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, flip, hidden):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        nn.init.zeros_(self.net[-1].weight)  # start from the identity map
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x[:, :1], x[:, 1:]
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        s = 1.5 * torch.tanh(s)
        b = b * s.exp() + t
        return torch.cat([b, a] if self.flip else [a, b], dim=1), s.squeeze(1)


class Flow(nn.Module):
    def __init__(self, depth=8, hidden=32):
        super().__init__()
        self.steps = nn.ModuleList(Coupling(i % 2 == 1, hidden) for i in range(depth))
        self.register_buffer("shift", torch.zeros(2))
        self.register_buffer("scale", torch.ones(2))

    def log_prob(self, x):
        z, ld = (x - self.shift) / self.scale, -self.scale.log().sum()
        for s in self.steps:
            z, d = s(z)
            ld = ld + d
        return -0.5 * z.square().sum(1) - math.log(2 * math.pi) + ld


def main():
    torch.manual_seed(2)
    xy = torch.from_numpy(np.load(pathlib.Path(__file__).with_name("residuals.npy")))
    xy = xy[torch.randperm(len(xy))]
    test, train = xy[:1000], xy[1000:]
    flow = Flow()
    flow.shift.copy_(train.mean(0))
    flow.scale.copy_(train.std(0))
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    epochs, bs = 30, 128
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * math.ceil(len(train) / bs))
    with torch.no_grad():
        print(f"gaussian start: test nll {-flow.log_prob(test).mean():.4f}")
    for ep in range(epochs):
        tot = 0.0
        for i in torch.randperm(len(train)).split(bs):
            nll = -flow.log_prob(train[i]).mean()
            opt.zero_grad()
            nll.backward()
            nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
            opt.step()
            sched.step()
            tot += nll.item() * len(i)
        if ep % 4 == 0 or ep == epochs - 1:
            with torch.no_grad():
                print(f"epoch {ep:2d}: train nll {tot / len(train):+.4f}  test nll {-flow.log_prob(test).mean():+.4f}")


if __name__ == "__main__":
    main()
