"""Denoising diffusion on handwritten 8x8 digits, class conditional.

Quality check: samples drawn for a class are read by a classifier that was fitted on real digits.
"""
import argparse
import copy
import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier
from torch import nn


def cosine_alpha_bar(steps, s=0.008):
    t = torch.arange(steps + 1, dtype=torch.float64) / steps
    f = torch.cos((t + s) / (1 + s) * math.pi / 2) ** 2
    betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
    return torch.cumprod(1 - betas, 0).float(), betas.float()


class Denoiser(nn.Module):
    def __init__(self, width=128, emb=64):
        super().__init__()
        self.emb = emb
        self.label = nn.Embedding(10, emb)
        self.time = nn.Sequential(nn.Linear(emb, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.inp = nn.Linear(64, width)
        self.blocks = nn.ModuleList(
            nn.ModuleDict({"norm": nn.LayerNorm(width), "cond": nn.Linear(emb, width),
                           "a": nn.Linear(width, width), "b": nn.Linear(width, width)}) for _ in range(3))
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 64))

    def forward(self, x, t, y):
        freq = torch.exp(-math.log(1000.0) * torch.arange(self.emb // 2) / (self.emb // 2))
        arg = t[:, None].float() * freq
        c = F.silu(self.time(torch.cat([arg.sin(), arg.cos()], dim=1)) + self.label(y))
        h = self.inp(x)
        for b in self.blocks:
            h = h + b["b"](F.silu(b["a"](b["norm"](h) + b["cond"](c))))
        return self.out(h)


class Diffusion:
    def __init__(self, steps):
        self.steps = steps
        self.abar, self.betas = cosine_alpha_bar(steps)

    def loss(self, net, x0, y):
        t = torch.randint(0, self.steps, (len(x0),))
        noise = torch.randn_like(x0)
        a = self.abar[t].unsqueeze(1)
        return F.mse_loss(net(a.sqrt() * x0 + (1 - a).sqrt() * noise, t, y), noise)

    @torch.no_grad()
    def sample(self, net, y):
        x = torch.randn(len(y), 64)
        for t in reversed(range(self.steps)):
            eps = net(x, torch.full((len(y),), t), y)
            a, b = self.abar[t], self.betas[t]
            prev = self.abar[t - 1] if t > 0 else torch.tensor(1.0)
            x0 = ((x - (1 - a).sqrt() * eps) / a.sqrt()).clamp(-1, 1)
            mean = (prev.sqrt() * b * x0 + (1 - b).sqrt() * (1 - prev) * x) / (1 - a)
            x = mean + ((1 - prev) / (1 - a) * b).sqrt() * torch.randn_like(x) if t > 0 else mean
        return x


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=900)
    p.add_argument("--steps", type=int, default=50)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--lr", type=float, default=2e-3)
    a = p.parse_args()
    torch.manual_seed(6)
    x, y = load_digits(return_X_y=True)
    judge = KNeighborsClassifier(5)
    x = torch.tensor(x, dtype=torch.float32) / 8 - 1
    y = torch.tensor(y)
    perm = torch.randperm(len(x))
    x, y = x[perm], y[perm]
    xt, yt, xv, yv = x[:1500], y[:1500], x[1500:], y[1500:]
    judge.fit(xt.numpy(), yt.numpy())
    print(f"judge reads held-out real digits with accuracy {judge.score(xv.numpy(), yv.numpy()):.3f}")

    diff, net = Diffusion(a.steps), Denoiser()
    ema = copy.deepcopy(net)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.iters, eta_min=1e-5)
    run = 0.0
    for it in range(1, a.iters + 1):
        idx = torch.randint(0, len(xt), (a.batch,))
        loss = diff.loss(net, xt[idx], yt[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        with torch.no_grad():
            for e, q in zip(ema.parameters(), net.parameters()):
                e.lerp_(q, 0.01)
        run += loss.item()
        if it % 150 == 0:
            labels = torch.arange(300) % 10
            s = diff.sample(ema, labels)
            state = torch.get_rng_state()
            torch.manual_seed(0)
            with torch.no_grad():
                val = sum(diff.loss(ema, xv, yv).item() for _ in range(10)) / 10
            torch.set_rng_state(state)
            print(f"iter {it:5d}  noise mse {run / 150:.4f}  held-out {val:.4f}  "
                  f"samples read as their class {judge.score(s.numpy(), labels.numpy()):.3f}  "
                  f"sample std {s.std():.3f} (data {xt.std():.3f})")
            run = 0.0


if __name__ == "__main__":
    main()
