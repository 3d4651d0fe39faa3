"""Toy diffusion model on the two moons; samples are drawn from the averaged weights."""
from dataclasses import dataclass, field

import torch
from sklearn.datasets import make_moons

from diffusion import DDPM, Denoiser
from ema import ModelEMA


@dataclass
class TrainCfg:
    steps: int = 1600
    batch: int = 256
    lr: float = 2e-3
    ema_decay: float = 0.99
    sample_every: int = 400


@dataclass
class Cfg:
    seed: int = 2
    noise: float = 0.05
    width: int = 96
    train: TrainCfg = field(default_factory=TrainCfg)


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def run(cfg):
    torch.manual_seed(cfg.seed)
    data = torch.tensor(make_moons(4000, noise=cfg.noise, random_state=cfg.seed)[0], dtype=torch.float32)
    data = (data - data.mean(0)) / data.std(0)
    train, held_out = data[:3000], data[3000:]

    model, ddpm = Denoiser(cfg.width), DDPM()
    ema = ModelEMA(model)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.train.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.train.steps)
    smooth = None
    for step in range(1, cfg.train.steps + 1):
        loss = ddpm.loss(model, train[torch.randint(len(train), (cfg.train.batch,))])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        ema.update(model)
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        if step % cfg.train.sample_every == 0:
            x = ddpm.sample(ema.module, 1000)
            near = torch.cdist(x, held_out).min(1).values
            print(f"step {step:5d} loss {smooth:.4f} samples on the moons {(near < 0.15).float().mean().item():.3f} energy distance {energy_distance(x, held_out):.4f}")


if __name__ == "__main__":
    run(Cfg())
