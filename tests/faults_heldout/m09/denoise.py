"""A tiny 2-d diffusion model (epsilon prediction) on a spiral."""
import dataclasses
import math

import torch
import torch.nn as nn


@dataclasses.dataclass(frozen=True)
class Cfg:
    n_points: int = 4000
    timesteps: int = 50
    hidden: int = 96
    batch: int = 256
    iters: int = 1200
    lr: float = 2e-3
    beta1: float = 0.9
    beta2: float = 0.999
    seed: int = 31


class Schedule:
    def __init__(self, timesteps):
        betas = torch.linspace(1e-4, 0.12, timesteps)
        self.abar = torch.cumprod(1 - betas, 0)

    def noise(self, x0, t, eps):
        a = self.abar[t][:, None]
        return a.sqrt() * x0 + (1 - a).sqrt() * eps


class Denoiser(nn.Module):
    def __init__(self, hidden, timesteps):
        super().__init__()
        freqs = torch.exp(torch.linspace(0, math.log(100.0), 8))
        self.register_buffer("freqs", freqs)
        self.timesteps = timesteps
        self.inp = nn.Linear(2 + 16, hidden)
        self.mid = nn.ModuleList([nn.Linear(hidden, hidden) for _ in range(2)])
        self.out = nn.Linear(hidden, 2)

    def forward(self, x, t):
        ang = (t.float() / self.timesteps)[:, None] * self.freqs
        h = self.inp(torch.cat([x, ang.sin(), ang.cos()], 1))
        for layer in self.mid:
            h = h + layer(nn.functional.silu(h))
        return self.out(nn.functional.silu(h))


def spiral(n, gen):
    r = torch.rand(n, generator=gen).sqrt()
    th = 3 * math.pi * r
    xy = torch.stack([r * th.cos(), r * th.sin()], 1) * 2
    return xy + 0.03 * torch.randn(n, 2, generator=gen)


def main():
    cfg = Cfg()
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    x_train, x_val = spiral(cfg.n_points, gen), spiral(1000, gen)
    sched = Schedule(cfg.timesteps)
    t_val = torch.randint(cfg.timesteps, (1000,), generator=gen)
    e_val = torch.randn(1000, 2, generator=gen)

    net = Denoiser(cfg.hidden, cfg.timesteps)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr, betas=(cfg.beta2, cfg.beta1))
    window = []
    for it in range(1, cfg.iters + 1):
        x0 = x_train[torch.randint(cfg.n_points, (cfg.batch,), generator=gen)]
        t = torch.randint(cfg.timesteps, (cfg.batch,), generator=gen)
        eps = torch.randn(x0.shape, generator=gen)
        loss = (net(sched.noise(x0, t, eps), t) - eps).pow(2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        window.append(loss.item())
        if it % 200 == 0:
            with torch.no_grad():
                val = (net(sched.noise(x_val, t_val, e_val), t_val) - e_val).pow(2).mean().item()
            print(f"iter {it}: train {sum(window) / len(window):.4f} val {val:.4f}")
            window.clear()


if __name__ == "__main__":
    main()
