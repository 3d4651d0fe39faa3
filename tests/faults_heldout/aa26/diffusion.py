import math

import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, width=96, t_dim=16):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(200.0), t_dim // 2)))
        self.net = nn.Sequential(
            nn.Linear(2 + t_dim, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2)
        )

    def forward(self, x, t):
        a = t[:, None] * self.freq
        return self.net(torch.cat([x, a.sin(), a.cos()], 1))


class DDPM:
    def __init__(self, steps=60):
        self.steps = steps
        s = torch.arange(steps + 1) / steps
        bar = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
        self.beta = (1 - bar[1:] / bar[:-1]).clamp(max=0.5)
        self.alpha_bar = torch.cumprod(1 - self.beta, 0)

    def loss(self, model, x0):
        k = torch.randint(self.steps, (len(x0),))
        ab, eps = self.alpha_bar[k][:, None], torch.randn_like(x0)
        return (model(ab.sqrt() * x0 + (1 - ab).sqrt() * eps, k / self.steps) - eps).pow(2).mean()

    @torch.no_grad()
    def sample(self, model, n):
        x = torch.randn(n, 2)
        for k in reversed(range(self.steps)):
            eps = model(x, torch.full((n,), k / self.steps))
            x = (x - self.beta[k] / (1 - self.alpha_bar[k]).sqrt() * eps) / (1 - self.beta[k]).sqrt()
            if k:
                x = x + self.beta[k].sqrt() * torch.randn_like(x)
        return x
