"""Small DDPM on the 8x8 digits: epsilon prediction with a residual MLP."""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


@dataclass
class Config:
    max_steps: int = 4000
    batch_size: int = 64
    lr: float = 1e-3
    timesteps: int = 100
    width: int = 192
    log_every: int = 640
    seed: int = 5


def timestep_embedding(t, dim=32):
    freqs = torch.exp(-math.log(1000.0) * torch.arange(dim // 2) / (dim // 2))
    ang = t[:, None].float() * freqs[None]
    return torch.cat([ang.sin(), ang.cos()], dim=-1)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.a = nn.Linear(width, width)
        self.t = nn.Linear(32, width)
        self.b = nn.Linear(width, width)

    def forward(self, h, temb):
        z = F.silu(self.a(self.norm(h)) + self.t(temb))
        return h + self.b(z)


class Denoiser(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inp = nn.Linear(64, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(3))
        self.out = nn.Linear(width, 64)

    def forward(self, x, t):
        temb = timestep_embedding(t)
        h = self.inp(x)
        for blk in self.blocks:
            h = blk(h, temb)
        return self.out(h)


class Diffusion:
    def __init__(self, timesteps):
        betas = torch.linspace(1e-3, 0.08, timesteps)
        self.T = timesteps
        self.alpha_bar = torch.cumprod(1 - betas, 0)

    def noise(self, x0, t, eps):
        ab = self.alpha_bar[t][:, None]
        return ab.sqrt() * x0 + (1 - ab).sqrt() * eps

    def loss(self, model, x0, generator=None):
        t = torch.randint(0, self.T, (len(x0),), generator=generator)
        eps = torch.randn(x0.shape, generator=generator)
        return F.mse_loss(model(self.noise(x0, t, eps), t), eps)


def load():
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 8.0 - 1.0
    perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
    return x[perm[:1500]], x[perm[1500:]]


@torch.no_grad()
def validate(model, diffusion, x_val):
    g = torch.Generator().manual_seed(99)
    return sum(diffusion.loss(model, x_val, g).item() for _ in range(5)) / 5


def batches(x, batch_size):
    """Endless stream of shuffled minibatches."""
    while True:
        for idx in torch.randperm(len(x)).split(batch_size):
            if len(idx) == batch_size:
                yield x[idx]


def train(cfg):
    torch.manual_seed(cfg.seed)
    x_train, x_val = load()
    model = Denoiser(cfg.width)
    diffusion = Diffusion(cfg.timesteps)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    stream = batches(x_train, cfg.batch_size)
    step, running, count = 0, 0.0, 0
    while step < cfg.max_steps:
        x0 = next(stream)
        loss = diffusion.loss(model, x0)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        running, count = running + loss.item(), count + 1
        step += len(x0)
        if step % cfg.log_every == 0:
            print(f"step {step:5d}/{cfg.max_steps}  train {running / count:.4f}  val {validate(model, diffusion, x_val):.4f}")
            running, count = 0.0, 0
    print(f"done: val {validate(model, diffusion, x_val):.4f}")


if __name__ == "__main__":
    train(Config())
