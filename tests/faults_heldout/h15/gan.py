"""Hinge GAN with spectral normalisation on a ring of Gaussians; samples come from an averaged generator."""
import copy
import math

import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

MODES, RADIUS, SIGMA, Z = 8, 1.5, 0.12, 4


def real(n, g=None):
    k = torch.randint(0, MODES, (n,), generator=g)
    a = 2 * math.pi * k / MODES
    c = torch.stack([a.cos(), a.sin()], 1) * RADIUS
    return c + SIGMA * torch.randn(n, 2, generator=g)


class Generator(nn.Sequential):
    def __init__(self, h=96):
        super().__init__(nn.Linear(Z, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, 2))


class Critic(nn.Sequential):
    def __init__(self, h=64):
        super().__init__(spectral_norm(nn.Linear(2, h)), nn.LeakyReLU(0.2), spectral_norm(nn.Linear(h, h)),
                         nn.LeakyReLU(0.2), spectral_norm(nn.Linear(h, 1)))

    def forward(self, x):
        return super().forward(10.0 * x)


class Average:
    def __init__(self, model, decay):
        self.model, self.decay = copy.deepcopy(model).requires_grad_(False), decay

    @torch.no_grad()
    def update(self, model, step):
        d = min(self.decay, (1 + step) / (10 + step))
        for a, p in zip(self.model.parameters(), model.parameters()):
            a.lerp_(p, 1 - d)


@torch.no_grad()
def report(gen, n=2000):
    x = gen(torch.randn(n, Z))
    a = 2 * math.pi * torch.arange(MODES) / MODES
    c = torch.stack([a.cos(), a.sin()], 1) * RADIUS
    d, k = torch.cdist(x, c).min(1)
    near = d < 3 * SIGMA
    share = torch.bincount(k[near], minlength=MODES) / n
    return near.float().mean().item(), int((share > 0.02).sum())


def mmd(x, y, widths=(0.2, 0.5, 1.0)):
    def k(a, b):
        d = torch.cdist(a, b) ** 2
        return sum(torch.exp(-d / (2 * w * w)) for w in widths).mean()
    return (k(x, x) + k(y, y) - 2 * k(x, y)).item()


def main(steps=2400, batch=128):
    torch.manual_seed(17)
    gen, critic = Generator(), Critic()
    ema = Average(gen, 0.995)
    opt_g = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(critic.parameters(), lr=5e-3, betas=(0.5, 0.9))
    held_out = real(2000, torch.Generator().manual_seed(1))
    for step in range(1, steps + 1):
        fake = gen(torch.randn(batch, Z)).detach()
        loss_d = torch.relu(1 - critic(real(batch))).mean() + torch.relu(1 + critic(fake)).mean()
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()

        critic.requires_grad_(False)
        loss_g = -critic(gen(torch.randn(batch, Z))).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        critic.requires_grad_(True)
        ema.update(gen, step)
        if step % 400 == 0:
            q, m = report(ema.model)
            with torch.no_grad():
                d = mmd(ema.model(torch.randn(2000, Z)), held_out)
            print(f"{step:5d}  D {loss_d.item():.3f}  G {loss_g.item():+.3f}  near a mode {q:.2f}  modes {m}  mmd {d:.4f}")


if __name__ == "__main__":
    main()
