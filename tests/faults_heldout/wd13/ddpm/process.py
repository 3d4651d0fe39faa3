import math

import torch


class Diffusion:
    def __init__(self, steps, schedule="cosine"):
        if schedule == "cosine":
            t = torch.arange(steps + 1, dtype=torch.float64) / steps
            f = torch.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2
            betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
        elif schedule == "linear":
            betas = torch.linspace(1e-4, 0.08, steps, dtype=torch.float64)
        else:
            raise ValueError(schedule)
        self.steps = steps
        self.betas = betas.float()
        self.alphas = (1 - betas).float()
        self.abar = torch.cumprod(1 - betas, 0).float()

    def corrupt(self, x0, t, noise):
        a = self.abar[t].unsqueeze(1)
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    @torch.no_grad()
    def sample(self, model, n, clip=3.0):
        x = torch.randn(n, 2)
        for t in reversed(range(self.steps)):
            eps = model(x, torch.full((n,), t))
            a = self.abar[t]
            prev = self.abar[t - 1] if t > 0 else torch.tensor(1.0)
            x0 = ((x - (1 - a).sqrt() * eps) / a.sqrt()).clamp(-clip, clip)
            mean = (prev.sqrt() * self.betas[t] * x0 + self.alphas[t].sqrt() * (1 - prev) * x) / (1 - a)
            x = mean
            if t > 0:
                x = x + (self.betas[t] * (1 - prev) / (1 - a)).sqrt() * torch.randn_like(x)
        return x
