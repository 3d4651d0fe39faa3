"""Class-conditional denoising diffusion on 8x8 digits; noise-prediction loss on held-out images and classifier agreement of samples."""
import argparse
import copy
import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier
from torch import nn

T = 60


def cosine_alphas():
    s = torch.linspace(0, 1, T + 1)
    f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
    beta = (1 - f[1:] / f[:-1]).clamp(max=0.999)
    return beta, torch.cumprod(1 - beta, 0)


class Denoiser(nn.Module):
    def __init__(self, h=192, emb=64):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(200.0), emb // 2)))
        self.cls = nn.Embedding(10, emb)
        self.cond = nn.Sequential(nn.Linear(2 * emb, h), nn.SiLU())
        self.inp = nn.Linear(64, h)
        self.blocks = nn.ModuleList(nn.Sequential(nn.LayerNorm(h), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, h)) for _ in range(3))
        self.out = nn.Linear(h, 64)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x, t, y):
        a = (t.float() / T)[:, None] * self.freq
        c = self.cond(torch.cat([a.sin(), a.cos(), self.cls(y)], 1))
        h = self.inp(x)
        for b in self.blocks:
            h = h + b(h + c)
        return self.out(h)


def noised(x, t, eps, abar):
    a = abar[t][:, None]
    return a.sqrt() * x + (1 - a).sqrt() * eps


@torch.no_grad()
def generate(net, y, beta, abar, gen):
    x = torch.randn(len(y), 64, generator=gen)
    for t in reversed(range(T)):
        eps = net(x, torch.full((len(y),), t), y)
        x0 = ((x - (1 - abar[t]).sqrt() * eps) / abar[t].sqrt()).clamp(-1, 1)
        prev = abar[t - 1] if t else torch.tensor(1.0)
        mean = prev.sqrt() * beta[t] / (1 - abar[t]) * x0 + (1 - beta[t]).sqrt() * (1 - prev) / (1 - abar[t]) * x
        var = beta[t] * (1 - prev) / (1 - abar[t])
        x = mean + (var.sqrt() * torch.randn(x.shape, generator=gen) if t else 0)
    return x


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=700)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--ema", type=float, default=0.99)
    a = ap.parse_args()
    torch.manual_seed(23)

    d = load_digits()
    x = torch.tensor(d.data, dtype=torch.float32) / 8.0 - 1.0
    y = torch.tensor(d.target)
    perm = torch.randperm(len(x))
    tr, va = perm[:1500], perm[1500:]
    judge = KNeighborsClassifier(5).fit(x[tr].numpy(), y[tr].numpy())
    print(f"judge accuracy on held-out digits {judge.score(x[va].numpy(), y[va].numpy()):.3f}")

    beta, abar = cosine_alphas()
    net = Denoiser()
    ema = copy.deepcopy(net).requires_grad_(False)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 50) * (1 - 0.95 * s / a.steps))

    g = torch.Generator().manual_seed(77)
    vt = torch.randint(0, T, (len(va) * 4,), generator=g)
    veps = torch.randn(len(va) * 4, 64, generator=g)
    vx, vy = x[va].repeat(4, 1), y[va].repeat(4)

    run = 1.0
    for s in range(a.steps):
        i = tr[torch.randint(0, len(tr), (a.batch,))]
        t = torch.randint(0, T, (a.batch,))
        eps = torch.randn(a.batch, 64)
        loss = F.mse_loss(net(noised(x[i], t, eps, abar), t, y[i]), eps)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        with torch.no_grad():
            for e, p in zip(ema.parameters(), net.parameters()):
                e.lerp_(p, 1 - a.ema)
        run = 0.98 * run + 0.02 * loss.item()
        if s % 350 == 349:
            with torch.no_grad():
                v = F.mse_loss(ema(noised(vx, vt, veps, abar), vt, vy), veps).item()
            want = torch.arange(10).repeat(10)
            fake = generate(ema, want, beta, abar, torch.Generator().manual_seed(1))
            print(f"step {s + 1} train {run:.4f} held-out {v:.4f} samples judged as their class {judge.score(fake.numpy(), want.numpy()):.3f}")


if __name__ == "__main__":
    main()
