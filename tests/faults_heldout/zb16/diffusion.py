"""Tiny denoising diffusion model on a two-dimensional point cloud; sampling uses averaged weights."""
import copy
import math
from dataclasses import dataclass, field

import torch
import torch.nn as nn
from sklearn.datasets import make_moons


@dataclass
class DiffusionConfig:
    timesteps: int = 50
    hidden: int = 96
    batch: int = 256
    iterations: int = 1500
    lr: float = 2e-3
    ema_decay: float = 0.9999
    seed: int = 8
    log_every: int = 250


class Denoiser(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.register_buffer("freqs", torch.exp(torch.linspace(0, math.log(50.0), 8)))
        self.net = nn.Sequential(nn.Linear(2 + 16, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, cfg.hidden), nn.SiLU(),
                                 nn.Linear(cfg.hidden, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, 2))

    def forward(self, x, t):
        ang = t[:, None] * self.freqs
        return self.net(torch.cat([x, ang.sin(), ang.cos()], dim=1))


class Schedule:
    def __init__(self, n):
        s = torch.linspace(0, 1, n + 1)
        bar = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
        self.beta = (1 - bar[1:] / bar[:-1]).clamp(max=0.999)
        self.alpha = 1 - self.beta
        self.bar = torch.cumprod(self.alpha, 0)
        self.n = n

    def noise(self, x0, t, eps):
        b = self.bar[t][:, None]
        return b.sqrt() * x0 + (1 - b).sqrt() * eps

    @torch.no_grad()
    def sample(self, net, count):
        x = torch.randn(count, 2)
        for i in reversed(range(self.n)):
            t = torch.full((count,), i / self.n)
            eps = net(x, t)
            x = (x - self.beta[i] / (1 - self.bar[i]).sqrt() * eps) / self.alpha[i].sqrt()
            if i:
                x = x + self.beta[i].sqrt() * torch.randn_like(x)
        return x


class EMA:
    def __init__(self, net, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(net).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, net):
        for s, p in zip(self.shadow.parameters(), net.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)


def moons(n, seed):
    x, _ = make_moons(n, noise=0.05, random_state=seed)
    x = torch.tensor(x, dtype=torch.float32)
    return (x - x.new_tensor([0.5, 0.25])) / x.new_tensor([0.87, 0.5])


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def denoising_loss(net, sched, x0):
    t = torch.randint(sched.n, (len(x0),))
    eps = torch.randn_like(x0)
    return (net(sched.noise(x0, t, eps), t / sched.n) - eps).pow(2).mean()


def main(cfg=DiffusionConfig()):
    torch.manual_seed(cfg.seed)
    data, held_out = moons(4000, 1), moons(1000, 2)
    net, sched = Denoiser(cfg), Schedule(cfg.timesteps)
    ema = EMA(net, cfg.ema_decay)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
    running = 0.0
    for it in range(1, cfg.iterations + 1):
        loss = denoising_loss(net, sched, data[torch.randint(len(data), (cfg.batch,))])
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(net)
        running += loss.item()
        if it % cfg.log_every == 0:
            with torch.no_grad():
                val = denoising_loss(ema.shadow, sched, held_out.repeat(4, 1)).item()
            dist = energy_distance(sched.sample(ema.shadow, 1000), held_out)
            print(f"iter {it:5d} train {running / cfg.log_every:.4f} held-out {val:.4f} sample distance {dist:.4f}")
            running = 0.0


if __name__ == "__main__":
    main()
