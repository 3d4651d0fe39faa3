import math

import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, hidden, timesteps):
        super().__init__()
        k = torch.arange(1, 9)
        self.register_buffer("freq", k * math.pi / timesteps)
        self.net = nn.Sequential(nn.Linear(2 + 16, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2))

    def forward(self, x, t):
        a = t[:, None] * self.freq
        return self.net(torch.cat([x, a.sin(), a.cos()], 1))


class Diffusion:
    def __init__(self, timesteps, beta_range):
        self.T = timesteps
        self.beta = torch.linspace(*beta_range, timesteps)
        self.alpha = 1 - self.beta
        self.abar = self.alpha.cumprod(0)

    def loss(self, model, x0, t, eps):
        a = self.abar[t][:, None]
        return (model(a.sqrt() * x0 + (1 - a).sqrt() * eps, t) - eps).pow(2).mean()

    @torch.no_grad()
    def sample(self, model, n):
        x = torch.randn(n, 2)
        for i in reversed(range(self.T)):
            t = torch.full((n,), i)
            x = (x - self.beta[i] / (1 - self.abar[i]).sqrt() * model(x, t)) / self.alpha[i].sqrt()
            if i:
                x = x + self.beta[i].sqrt() * torch.randn_like(x)
        return x


class Average:
    """Exponential moving average of the weights, used for sampling."""

    def __init__(self, model, shadow, decay):
        self.shadow, self.decay = shadow, decay
        shadow.load_state_dict(model.state_dict())
        shadow.requires_grad_(False).eval()

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)
