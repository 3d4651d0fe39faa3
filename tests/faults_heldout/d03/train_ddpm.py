"""Small DDPM on 2-D points (eight arcs), sampled with averaged weights."""
import copy
import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_moons


@dataclass
class Opts:
    steps: int = 1600
    batch_size: int = 256
    lr: float = 2e-3
    T: int = 60
    hidden: int = 96
    ema_horizon: float = 30_000.0   # length of the weight average, in samples seen
    n_eval: int = 1500
    seed: int = 4


class Denoiser(nn.Module):
    def __init__(self, hidden, T):
        super().__init__()
        self.T = T
        freqs = torch.exp(torch.linspace(0, math.log(100.0), 8))
        self.register_buffer("freqs", freqs)
        self.net = nn.Sequential(
            nn.Linear(2 + 16, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 2))

    def forward(self, x, t):
        a = (t.float() / self.T).unsqueeze(1) * self.freqs
        return self.net(torch.cat([x, a.sin(), a.cos()], dim=1))


class Averager:
    """Exponential moving average of the weights with a given horizon."""

    def __init__(self, model, horizon):
        self.decay = 1.0 - 1.0 / horizon
        self.model = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for a, p in zip(self.model.parameters(), model.parameters()):
            a.lerp_(p, 1.0 - self.decay)


def noise_schedule(T):
    s = torch.linspace(0, 1, T + 1)
    bar = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
    beta = (1 - bar[1:] / bar[:-1]).clamp(max=0.35)
    return beta, torch.cumprod(1 - beta, 0)


@torch.no_grad()
def sample(model, n, beta, abar):
    x = torch.randn(n, 2)
    for t in reversed(range(len(beta))):
        eps = model(x, torch.full((n,), t))
        x = (x - beta[t] / (1 - abar[t]).sqrt() * eps) / (1 - beta[t]).sqrt()
        if t > 0:
            x = x + beta[t].sqrt() * torch.randn_like(x)
    return x


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def points(n, seed):
    x, _ = make_moons(n, noise=0.04, random_state=seed)
    return torch.tensor((x - [0.5, 0.25]) / [0.87, 0.5], dtype=torch.float32)


def run(o):
    torch.manual_seed(o.seed)
    np.random.seed(o.seed)
    train, held = points(20000, 1), points(o.n_eval, 2)
    beta, abar = noise_schedule(o.T)
    model = Denoiser(o.hidden, o.T)
    avg = Averager(model, o.ema_horizon)
    opt = torch.optim.Adam(model.parameters(), lr=o.lr)
    smooth = None
    for step in range(1, o.steps + 1):
        x0 = train[torch.randint(len(train), (o.batch_size,))]
        t = torch.randint(o.T, (o.batch_size,))
        eps = torch.randn_like(x0)
        ab = abar[t].unsqueeze(1)
        xt = ab.sqrt() * x0 + (1 - ab).sqrt() * eps
        loss = ((model(xt, t) - eps) ** 2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        avg.update(model)
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        if step % 200 == 0:
            d = energy_distance(sample(avg.model, o.n_eval, beta, abar), held)
            print(f"{step:5d} | loss {smooth:.4f} | energy distance of samples {d:.4f}")


if __name__ == "__main__":
    run(Opts())
