import math

import torch


class Diffusion:
    """Cosine noise schedule with the usual noise-prediction objective."""

    def __init__(self, steps=60):
        t = torch.arange(steps + 1) / steps
        f = torch.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2
        abar = f / f[0]
        self.beta = (1 - abar[1:] / abar[:-1]).clamp(max=0.999)
        self.alpha = 1 - self.beta
        self.abar = torch.cumprod(self.alpha, 0)
        self.steps = steps

    def corrupt(self, x, t, noise):
        a = self.abar[t][:, None]
        return a.sqrt() * x + (1 - a).sqrt() * noise

    def loss(self, net, x):
        t = torch.randint(0, self.steps, (len(x),))
        noise = torch.randn_like(x)
        return (net(self.corrupt(x, t, noise), t) - noise).square().mean()

    @torch.no_grad()
    def sample(self, net, n, dim, generator=None):
        x = torch.randn(n, dim, generator=generator)
        for i in reversed(range(self.steps)):
            t = torch.full((n,), i)
            eps = net(x, t)
            x0 = ((x - (1 - self.abar[i]).sqrt() * eps) / self.abar[i].sqrt()).clamp(-3, 3)
            prev = self.abar[i - 1] if i > 0 else torch.ones(())
            mean = (prev.sqrt() * self.beta[i] * x0 + self.alpha[i].sqrt() * (1 - prev) * x) / (1 - self.abar[i])
            var = self.beta[i] * (1 - prev) / (1 - self.abar[i])
            x = mean + var.sqrt() * torch.randn(n, dim, generator=generator) if i > 0 else mean
        return x
