from dataclasses import dataclass
import copy

import numpy as np
import torch
from torch import nn


@dataclass(frozen=True)
class Plan:
    layers: int = 6
    width: int = 48
    steps: int = 1000
    batch: int = 256
    peak: float = 2e-3
    ema: float = 0.98
    seed: int = 101


class Coupling(nn.Module):
    def __init__(self, d, mask, width):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(d, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2 * d))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=1)
        s = torch.tanh(s) * 2 * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * s.exp() + t, s.sum(1)

    def inverse(self, z):
        s, t = self.net(z * self.mask).chunk(2, dim=1)
        s = torch.tanh(s) * 2 * (1 - self.mask)
        return (z - t * (1 - self.mask)) * torch.exp(-s)


class Flow(nn.Module):
    def __init__(self, d, plan):
        super().__init__()
        masks = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]
        self.couplings = nn.ModuleList(
            Coupling(d, torch.tensor(masks[i % len(masks)], dtype=torch.float32), plan.width) for i in range(plan.layers))
        self.base = torch.distributions.Normal(0.0, 1.0)

    def log_prob(self, x):
        logdet = x.new_zeros(len(x))
        for c in self.couplings:
            x, ld = c(x)
            logdet = logdet + ld
        return self.base.log_prob(x).sum(1) + logdet

    @torch.no_grad()
    def sample(self, n, d):
        z = torch.randn(n, d)
        for c in reversed(self.couplings):
            z = c.inverse(z)
        return z


def endless(x, batch):
    while True:
        for rows in torch.randperm(len(x)).split(batch):
            if len(rows) == batch:
                yield x[rows]


@torch.no_grad()
def blend(slow, fast, rate):
    for a, b in zip(slow.parameters(), fast.parameters()):
        a.lerp_(b, 1 - rate)


def main(plan=Plan()):
    torch.manual_seed(plan.seed)
    data = torch.from_numpy(np.load("joints.npy").astype(np.float32))
    data = data[torch.randperm(len(data))]
    train, valid = data[:-1200], data[-1200:]
    mean, std = train.mean(0), train.std(0)
    train, valid = (train - mean) / std, (valid - mean) / std

    flow = Flow(train.shape[1], plan)
    slow = copy.deepcopy(flow).requires_grad_(False)
    optimizer = torch.optim.Adam(flow.parameters(), lr=plan.peak)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, plan.peak, total_steps=plan.steps, pct_start=0.15)
    source = endless(train, plan.batch)
    window = []
    for step in range(1, plan.steps + 1):
        nll = -flow.log_prob(next(source)).mean()
        optimizer.zero_grad()
        nll.backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 10.0)
        optimizer.step()
        schedule.step()
        blend(slow, flow, plan.ema)
        window.append(nll.item())
        if step % 100 == 0:
            with torch.no_grad():
                v = -slow.log_prob(valid).mean().item()
            print(f"step {step:5d}  nll {np.mean(window):+.4f}  valid nll of the average {v:+.4f}")
            window.clear()

    made = slow.sample(1200, train.shape[1])
    print("correlation gap of samples", round((torch.corrcoef(made.square().T) - torch.corrcoef(valid.square().T)).abs().max().item(), 3))


if __name__ == "__main__":
    main()
