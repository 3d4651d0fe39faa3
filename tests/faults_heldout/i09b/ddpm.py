import copy
import math

import torch
from torch import nn


class TimeMLP(nn.Module):
    """eps-predictor for points in the plane."""

    def __init__(self, hidden, blocks, time_dim):
        super().__init__()
        self.time_dim = time_dim
        self.time = nn.Sequential(nn.Linear(time_dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden))
        self.inp = nn.Linear(2, hidden)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, hidden))
            for _ in range(blocks)
        )
        self.out = nn.Linear(hidden, 2)

    def embed(self, t):
        half = self.time_dim // 2
        freq = torch.exp(-math.log(1000.0) * torch.arange(half) / half)
        arg = t.float()[:, None] * freq[None]
        return torch.cat([arg.sin(), arg.cos()], dim=1)

    def forward(self, x, t):
        h = self.inp(x) + self.time(self.embed(t))
        for b in self.blocks:
            h = h + b(h)
        return self.out(h)


class Diffusion:
    def __init__(self, timesteps, beta_start, beta_end):
        self.T = timesteps
        self.betas = torch.linspace(beta_start, beta_end, timesteps)
        self.abar = torch.cumprod(1 - self.betas, 0)

    def noise(self, x0, t, eps):
        a = self.abar[t][:, None]
        return a.sqrt() * x0 + (1 - a).sqrt() * eps

    @torch.no_grad()
    def sample(self, model, n, gen):
        x = torch.randn(n, 2, generator=gen)
        for t in reversed(range(self.T)):
            eps = model(x, torch.full((n,), t))
            b, a = self.betas[t], self.abar[t]
            x = (x - b / (1 - a).sqrt() * eps) / (1 - b).sqrt()
            if t > 0:
                x = x + b.sqrt() * torch.randn(n, 2, generator=gen)
        return x


class Averaged:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, source):
        for avg, p in zip(self.model.parameters(), source.parameters()):
            avg.lerp_(p, 1 - self.decay)
