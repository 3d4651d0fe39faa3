import copy
import math

import torch
import torch.nn as nn


class Diffusion:
    def __init__(self, steps=60):
        t = torch.arange(steps + 1) / steps
        f = torch.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2
        self.beta = (1 - f[1:] / f[:-1]).clamp(max=0.999)
        self.alpha = 1 - self.beta
        self.abar = self.alpha.cumprod(0)
        self.steps = steps

    def q_sample(self, x0, t, noise):
        a = self.abar[t][:, None]
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    @torch.no_grad()
    def sample(self, model, n, gen):
        x = torch.randn(n, 2, generator=gen)
        for i in reversed(range(self.steps)):
            t = torch.full((n,), i)
            eps = model(x, t)
            x0 = ((x - (1 - self.abar[i]).sqrt() * eps) / self.abar[i].sqrt()).clamp(-3, 3)
            prev = self.abar[i - 1] if i > 0 else torch.tensor(1.0)
            mean = (prev.sqrt() * self.beta[i] * x0 + self.alpha[i].sqrt() * (1 - prev) * x) / (1 - self.abar[i])
            var = self.beta[i] * (1 - prev) / (1 - self.abar[i])
            x = mean + var.sqrt() * torch.randn(n, 2, generator=gen) if i > 0 else mean
        return x


class Denoiser(nn.Module):
    def __init__(self, steps, h=96):
        super().__init__()
        self.steps = steps
        self.inp = nn.Linear(2 + 16, h)
        self.blocks = nn.ModuleList(nn.Sequential(nn.LayerNorm(h), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, h)) for _ in range(3))
        self.out = nn.Linear(h, 2)
        nn.init.zeros_(self.out.weight)

    def forward(self, x, t):
        w = torch.exp(torch.linspace(0, math.log(1000), 8))
        a = (t.float() / self.steps)[:, None] * w
        h = self.inp(torch.cat([x, a.sin(), a.cos()], 1))
        for b in self.blocks:
            h = h + b(h)
        return self.out(h)


class EMA:
    def __init__(self, model, decay=0.99):
        self.decay, self.model = decay, copy.deepcopy(model).requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.model.parameters(), model.parameters()):
            e.lerp_(p, 1 - self.decay)
