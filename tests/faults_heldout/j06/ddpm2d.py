"""DDPM on a two-dimensional eight-mode mixture."""
import argparse
import math

import torch
from torch import nn


def sample_data(n, gen):
    k = torch.randint(0, 8, (n,), generator=gen)
    ang = k * (2 * math.pi / 8)
    centre = torch.stack([ang.cos(), ang.sin()], -1) * 1.4
    return centre + 0.08 * torch.randn(n, 2, generator=gen)


class Denoiser(nn.Module):
    def __init__(self, width=96, n_freq=8):
        super().__init__()
        self.register_buffer("freq", 2.0 ** torch.arange(n_freq) * math.pi / 2)
        self.net = nn.Sequential(
            nn.Linear(2 + 2 * n_freq, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 2),
        )

    def forward(self, x, t):
        a = t[:, None] * self.freq
        return self.net(torch.cat([x, a.sin(), a.cos()], -1))


class Diffusion:
    def __init__(self, T=100):
        self.T = T
        beta = torch.linspace(1e-3, 0.06, T)
        self.beta = beta
        self.alpha = 1 - beta
        self.abar = torch.cumprod(self.alpha, 0)

    def loss(self, model, x0, gen):
        t = torch.randint(0, self.T, (len(x0),), generator=gen)
        eps = torch.randn(x0.shape, generator=gen)
        ab = self.abar[t][:, None]
        xt = ab.sqrt() * x0 + (1 - ab).sqrt() * eps
        return (model(xt, t / self.T) - eps).pow(2).mean()

    @torch.no_grad()
    def sample(self, model, n, gen):
        x = torch.randn(n, 2, generator=gen)
        for t in reversed(range(self.T)):
            e = model(x, torch.full((n,), t / self.T))
            x = (x - self.beta[t] / (1 - self.abar[t]).sqrt() * e) / self.alpha[t].sqrt()
            if t:
                x = x + self.beta[t].sqrt() * torch.randn(n, 2, generator=gen)
        return x


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=3000)
    ap.add_argument("--batch-size", type=int, default=2)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()

    torch.manual_seed(a.seed)
    gen = torch.Generator().manual_seed(a.seed)
    train = sample_data(20000, gen)
    held = sample_data(4000, gen)
    model, diff = Denoiser(), Diffusion()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    avg = None
    for step in range(1, a.steps + 1):
        batch = train[torch.randint(0, len(train), (a.batch_size,), generator=gen)]
        loss = diff.loss(model, batch, gen)
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg = loss.item() if avg is None else 0.99 * avg + 0.01 * loss.item()
        if step % 300 == 0:
            with torch.no_grad():
                h = diff.loss(model, held, torch.Generator().manual_seed(99)).item()
            print(f"step {step:5d}  loss(avg) {avg:.4f}  held-out {h:.4f}")
    s = diff.sample(model, 2000, gen)
    ang = torch.arange(8) * (2 * math.pi / 8)
    centres = 1.4 * torch.stack([ang.cos(), ang.sin()], -1)
    near = torch.cdist(s, centres).min(1).values
    print(f"share of samples within 0.3 of a mode: {(near < 0.3).float().mean():.3f}")


if __name__ == "__main__":
    main()
