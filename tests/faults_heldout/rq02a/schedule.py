import math

import torch


class Diffusion:
    """Cosine noise schedule with noise prediction."""

    def __init__(self, steps):
        t = torch.arange(steps + 1) / steps
        f = torch.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2
        self.abar = (f / f[0])[1:].clamp(min=1e-3)
        self.steps = steps

    def corrupt(self, x0, t, noise):
        a = self.abar[t].unsqueeze(1)
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    @torch.no_grad()
    def sample(self, net, n, dim, generator):
        x = torch.randn(n, dim, generator=generator)
        for i in reversed(range(self.steps)):
            t = torch.full((n,), i)
            a = self.abar[i]
            prev = self.abar[i - 1] if i else torch.tensor(1.0)
            eps = net(x, t)
            x0 = ((x - (1 - a).sqrt() * eps) / a.sqrt()).clamp(-1.2, 1.2)
            x = prev.sqrt() * x0 + (1 - prev).sqrt() * eps
        return x
