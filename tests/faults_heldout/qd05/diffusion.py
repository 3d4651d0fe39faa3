#!/usr/bin/env python
"""Class-conditional denoising diffusion on the 8x8 digits."""
import copy
import math

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.svm import SVC
from torch import nn

T = 100
STEPS = 2500
BATCH = 64
LR = 2e-3
AVERAGE = 0.995


def schedule():
    # cosine schedule of Nichol & Dhariwal
    f = torch.cos((torch.arange(T + 1) / T + 0.008) / 1.008 * math.pi / 2) ** 2
    abar = f / f[0]
    beta = (1 - abar[1:] / abar[:-1]).clamp(max=0.999)
    return beta, torch.cumprod(1 - beta, 0)


BETA, ABAR = schedule()


class Denoiser(nn.Module):
    def __init__(self, width=160):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(32, width), nn.SiLU(), nn.Linear(width, width))
        self.label = nn.Embedding(10, width)
        self.inp = nn.Linear(64, width)
        self.blocks = nn.ModuleList(
            [nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width)) for _ in range(3)])
        self.out = nn.Linear(width, 64)
        nn.init.zeros_(self.out.weight)  # starts by predicting no noise at all
        nn.init.zeros_(self.out.bias)

    def forward(self, x, t, y):
        freq = torch.exp(-torch.arange(16) / 16 * math.log(1000.0))
        ang = t[:, None].float() * freq
        cond = self.time(torch.cat([ang.sin(), ang.cos()], 1)) + self.label(y)
        h = self.inp(x)
        for block in self.blocks:
            h = h + block(h + cond)
        return self.out(h)


def noise_loss(model, x, y, gen=None):
    t = torch.randint(0, T, (len(x),), generator=gen)
    eps = torch.randn(x.shape, generator=gen)
    a = ABAR[t][:, None]
    return nn.functional.mse_loss(model(a.sqrt() * x + (1 - a).sqrt() * eps, t, y), eps)


@torch.no_grad()
def sample(model, y):
    model.eval()
    x = torch.randn(len(y), 64)
    for i in reversed(range(T)):
        t = torch.full((len(y),), i)
        eps = model(x, t, y)
        x0 = ((x - (1 - ABAR[i]).sqrt() * eps) / ABAR[i].sqrt()).clamp(-1, 1)
        prev = ABAR[i - 1] if i else torch.tensor(1.0)
        mean = (prev.sqrt() * BETA[i] * x0 + (1 - BETA[i]).sqrt() * (1 - prev) * x) / (1 - ABAR[i])
        x = mean + (BETA[i] * (1 - prev) / (1 - ABAR[i])).sqrt() * torch.randn_like(x) if i else mean
    return x


def main():
    torch.manual_seed(12)
    digits = load_digits()
    x = torch.tensor(digits.data / 8.0 - 1.0, dtype=torch.float32)
    y = torch.tensor(digits.target)
    perm = torch.randperm(len(x))
    tr, te = perm[:1500], perm[1500:]
    judge = SVC(gamma=0.05, C=10).fit(x[tr].numpy(), y[tr].numpy())
    print("judge accuracy on held-out digits", round(judge.score(x[te].numpy(), y[te].numpy()), 3))

    model = Denoiser()
    ema = copy.deepcopy(model).requires_grad_(False)
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    decay = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 100) * (1 - 0.95 * s / STEPS))
    running = None
    for step in range(1, STEPS + 1):
        model.train()
        idx = tr[torch.randint(0, len(tr), (BATCH,))]
        loss = noise_loss(model, x[idx], y[idx])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        decay.step()
        with torch.no_grad():
            rate = min(AVERAGE, (1 + step) / (10 + step))
            for p, q in zip(ema.parameters(), model.parameters()):
                p.lerp_(q, 1 - rate)
        running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
        if step % 500 == 0:
            with torch.no_grad():
                held = np.mean([noise_loss(ema, x[te], y[te], torch.Generator().manual_seed(s)).item() for s in range(5)])
            want = torch.arange(10).repeat(20)
            got = judge.predict(sample(ema, want).numpy())
            print(f"step {step}  loss {running:.4f}  held-out {held:.4f}  samples read as wanted {np.mean(got == want.numpy()):.3f}")


if __name__ == "__main__":
    main()
