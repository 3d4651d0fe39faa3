"""Denoising diffusion on 8x8 digits. Samples and scores come from the averaged weights."""
import copy
import json
import math
import os
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

BASE = os.path.dirname(os.path.abspath(__file__))


@dataclass
class Config:
    images: str
    timesteps: int
    width: int
    steps: int
    batch: int
    lr: float
    ema_decay: float
    report_every: int
    seed: int


class Denoiser(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(32, width), nn.SiLU(), nn.Linear(width, width))
        self.inp = nn.Linear(dim, width)
        self.mid = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
            for _ in range(3)
        )
        self.out = nn.Linear(width, dim)

    def forward(self, x, t):
        freq = torch.exp(-math.log(1000.0) * torch.arange(16) / 16)
        ang = t[:, None].float() * freq[None]
        emb = self.time(torch.cat([ang.sin(), ang.cos()], 1))
        h = self.inp(x)
        for layer in self.mid:
            h = h + layer(h + emb)
        return self.out(h)


class Process:
    def __init__(self, timesteps):
        self.T = timesteps
        s = torch.linspace(0, 1, timesteps + 1)
        f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
        self.abar = (f / f[0])[1:].clamp(min=1e-4)

    def corrupt(self, x, t, noise):
        a = self.abar[t][:, None]
        return a.sqrt() * x + (1 - a).sqrt() * noise


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        images = np.load(os.path.join(BASE, cfg.images))["images"].astype("float32")
        images = torch.from_numpy(images.reshape(len(images), -1) / 8.0 - 1.0)
        images = images[torch.randperm(len(images))]
        self.train_x, self.val_x = images[300:], images[:300]
        self.process = Process(cfg.timesteps)
        self.model = Denoiser(64, cfg.width)
        self.averaged = copy.deepcopy(self.model).requires_grad_(False).eval()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.steps)
        g = torch.Generator().manual_seed(0)
        self.val_t = torch.randint(cfg.timesteps, (len(self.val_x) * 4,), generator=g)
        self.val_noise = torch.randn(len(self.val_x) * 4, 64, generator=g)

    @torch.no_grad()
    def update_average(self):
        d = self.cfg.ema_decay
        for a, p in zip(self.averaged.parameters(), self.model.parameters()):
            a.mul_(d).add_(p, alpha=1 - d)

    @torch.no_grad()
    def validate(self):
        x = self.val_x.repeat(4, 1)
        noisy = self.process.corrupt(x, self.val_t, self.val_noise)
        return ((self.averaged(noisy, self.val_t) - self.val_noise) ** 2).mean().item()

    def fit(self):
        running = 0.0
        for step in range(1, self.cfg.steps + 1):
            x = self.train_x[torch.randint(len(self.train_x), (self.cfg.batch,))]
            t = torch.randint(self.cfg.timesteps, (len(x),))
            noise = torch.randn_like(x)
            pred = self.model(self.process.corrupt(x, t, noise), t)
            loss = ((pred - noise) ** 2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            self.update_average()
            running += loss.item()
            if step % self.cfg.report_every == 0:
                print(f"step {step:5d}  train {running / self.cfg.report_every:.4f}  held-out {self.validate():.4f}")
                running = 0.0


if __name__ == "__main__":
    with open(os.path.join(BASE, "config.json")) as fh:
        Trainer(Config(**json.load(fh))).fit()
