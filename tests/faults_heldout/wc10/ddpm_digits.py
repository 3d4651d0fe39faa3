"""Class-conditional diffusion on 8x8 digits. The averaged network is what gets evaluated and sampled."""
import copy
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression


@dataclass
class Args:
    seed: int = 7
    timesteps: int = 60
    width: int = 256
    batch: int = 128
    epochs: int = 60
    lr: float = 1e-3
    ema_decay: float = 0.9999
    eval_every: int = 10


class Denoiser(nn.Module):
    def __init__(self, width, timesteps, classes=10):
        super().__init__()
        self.time = nn.Embedding(timesteps, width)
        self.label = nn.Embedding(classes, width)
        self.inp = nn.Linear(64, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
            for _ in range(3))
        self.out = nn.Linear(width, 64)

    def forward(self, x, t, y):
        cond = self.time(t) + self.label(y)
        h = self.inp(x)
        for block in self.blocks:
            h = h + block(h + cond)
        return self.out(F.silu(h))


class Ema:
    def __init__(self, model, decay):
        self.decay = decay
        self.module = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for avg, p in zip(self.module.parameters(), model.parameters()):
            avg.lerp_(p, 1 - self.decay)


class Diffusion:
    def __init__(self, timesteps):
        self.T = timesteps
        self.beta = torch.linspace(1e-3, 0.16, timesteps)
        self.alpha = 1 - self.beta
        self.abar = self.alpha.cumprod(0)

    def loss(self, net, x, y):
        t = torch.randint(0, self.T, (len(x),))
        noise = torch.randn_like(x)
        a = self.abar[t].unsqueeze(1)
        return F.mse_loss(net(a.sqrt() * x + (1 - a).sqrt() * noise, t, y), noise)

    @torch.no_grad()
    def sample(self, net, y):
        x = torch.randn(len(y), 64)
        for t in reversed(range(self.T)):
            eps = net(x, torch.full((len(y),), t), y)
            x = (x - self.beta[t] / (1 - self.abar[t]).sqrt() * eps) / self.alpha[t].sqrt()
            if t > 0:
                x = x + self.beta[t].sqrt() * torch.randn_like(x)
        return x


def main(args=Args()):
    torch.manual_seed(args.seed)
    digits = load_digits()
    x = torch.tensor(digits.data / 8.0 - 1.0, dtype=torch.float32)
    y = torch.tensor(digits.target)
    perm = torch.randperm(len(x))
    x, y = x[perm], y[perm]
    xt, yt, xv, yv = x[:1500], y[:1500], x[1500:], y[1500:]
    judge = LogisticRegression(max_iter=400).fit(xt.numpy(), yt.numpy())

    diffusion = Diffusion(args.timesteps)
    net = Denoiser(args.width, args.timesteps)
    ema = Ema(net, args.ema_decay)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)

    step = 0
    for epoch in range(1, args.epochs + 1):
        order, run = torch.randperm(len(xt)), []
        for idx in order.split(args.batch):
            loss = diffusion.loss(net, xt[idx], yt[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            ema.update(net)
            run.append(loss.item())
            step += 1
        if epoch % args.eval_every == 0:
            with torch.no_grad(), torch.random.fork_rng():
                torch.manual_seed(0)
                val = sum(diffusion.loss(ema.module, xv, yv).item() for _ in range(8)) / 8
                wanted = torch.arange(10).repeat(20)
                agree = judge.score(diffusion.sample(ema.module, wanted).clamp(-1, 1).numpy(), wanted.numpy())
            print(f"epoch {epoch:3d} step {step:4d} train mse {sum(run) / len(run):.4f} "
                  f"val mse {val:.4f} samples recognised {agree:.2f}")


if __name__ == "__main__":
    main()
