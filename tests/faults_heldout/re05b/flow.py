"""Flow matching for 3-D tracer positions: learn a velocity field that carries noise to data."""
import argparse
import copy
import math

import numpy as np
import torch
from torch import nn


class Velocity(nn.Module):
    def __init__(self, dim=3, width=96, freqs=6):
        super().__init__()
        self.register_buffer("w", 2.0 ** torch.arange(freqs) * math.pi / 2)
        self.net = nn.Sequential(
            nn.Linear(dim + 2 * freqs, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, dim),
        )

    def forward(self, x, t):
        ph = t * self.w
        return self.net(torch.cat([x, ph.sin(), ph.cos()], dim=1))


def flow_loss(field, x1, gen):
    x0 = torch.randn(x1.shape, generator=gen)
    t = torch.rand(len(x1), 1, generator=gen)
    xt = (1 - t) * x0 + t * x1
    return (field(xt, t) - (x1 - x0)).square().mean()


@torch.no_grad()
def sample(field, n, gen, steps=40):
    x = torch.randn(n, 3, generator=gen)
    for k in range(steps):
        t = torch.full((n, 1), (k + 0.5) / steps)
        x = x + field(x, t) / steps
    return x


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


@torch.no_grad()
def blend(avg, live, decay):
    for p, q in zip(avg.parameters(), live.parameters()):
        p.lerp_(q, 1 - decay)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--csv", default="tracks.csv")
    ap.add_argument("--steps", type=int, default=2500)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--decay", type=float, default=0.995, help="decay of the averaged weights used for sampling")
    ap.add_argument("--report", type=int, default=500)
    args = ap.parse_args()

    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(22)
    pts = torch.tensor(np.loadtxt(args.csv, delimiter=",", skiprows=1), dtype=torch.float32)
    pts = pts[torch.randperm(len(pts), generator=gen)]
    train, held = pts[:2600], pts[2600:]
    mean, std = train.mean(0), train.std(0)
    train, held = (train - mean) / std, (held - mean) / std

    live = Velocity()
    avg = copy.deepcopy(live).requires_grad_(False)
    opt = torch.optim.Adam(live.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)

    window = []
    for step in range(1, args.steps + 1):
        batch = train[torch.randint(len(train), (args.batch,), generator=gen)]
        loss = flow_loss(live, batch, gen)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        blend(avg, live, args.decay)
        window.append(loss.item())
        if step % args.report == 0:
            with torch.no_grad():
                ev = torch.Generator().manual_seed(5)
                val = flow_loss(avg, held.repeat(8, 1), ev).item()
                dist = energy_distance(sample(avg, len(held), ev), held)
            print(f"step {step} train {np.mean(window):.4f} held-out {val:.4f} energy distance {dist:.4f}")
            window.clear()


if __name__ == "__main__":
    main()
