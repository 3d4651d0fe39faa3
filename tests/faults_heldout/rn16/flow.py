import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Options:
    layers: int = 6
    hidden: int = 48
    lr: float = 3e-3
    iters: int = 1500
    batch: int = 200


class Coupling(nn.Module):
    def __init__(self, hidden, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x[:, :1], x[:, 1:]
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        s = 2.0 * torch.tanh(s / 2.0)
        b = b * s.exp() + t
        return torch.cat([b, a] if self.flip else [a, b], 1), s.squeeze(1)


class Flow(nn.Module):
    def __init__(self, opt, loc, scale):
        super().__init__()
        self.register_buffer("loc", loc)
        self.register_buffer("scale", scale)
        self.steps = nn.ModuleList(Coupling(opt.hidden, i % 2 == 1) for i in range(opt.layers))

    def log_prob(self, x):
        z = (x - self.loc) / self.scale
        logdet = -self.scale.log().sum()
        for step in self.steps:
            z, ld = step(z)
            logdet = logdet + ld
        return -0.5 * z.pow(2).sum(1) - math.log(2 * math.pi) + logdet


def main(opt=Options()):
    torch.manual_seed(2024)
    x = torch.from_numpy(np.loadtxt("orbit_residuals.dat")).float()
    x = x[torch.randperm(len(x))]
    train, held = x[:3200], x[3200:]
    flow = Flow(opt, train.mean(0), train.std(0))
    adam = torch.optim.Adam(flow.parameters(), lr=opt.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(adam, opt.iters)
    avg = None
    for it in range(1, opt.iters + 1):
        flow.train()
        loss = -flow.log_prob(train[torch.randint(len(train), (opt.batch,))]).mean()
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        adam.step()
        sched.step()
        avg = loss.item() if avg is None else 0.98 * avg + 0.02 * loss.item()
        if it % 150 == 0:
            flow.eval()
            with torch.no_grad():
                print(f"{it:5d} nll {avg:.3f} held-out {-flow.log_prob(held).mean().item():.3f}")


main()
