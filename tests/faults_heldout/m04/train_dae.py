"""Denoising autoencoder on the 8x8 digits; SGD with Nesterov momentum and a linear ramp / linear decay."""
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn


@dataclass
class Config:
    steps: int = 900
    ramp: int = 60
    batch: int = 64
    base_lr: float = 0.25
    momentum: float = 0.95
    noise: float = 0.3
    code: int = 24
    seed: int = 2


def lr_at(step: int, cfg: Config) -> float:
    if step < cfg.ramp:
        return cfg.base_lr * (step + 1) / cfg.ramp
    return cfg.base_lr * max(0.02, 1 - (step - cfg.ramp) / (cfg.steps - cfg.ramp))


def build_optimizer(net: nn.Module, lr: float, cfg: Config) -> torch.optim.Optimizer:
    return torch.optim.SGD(net.parameters(), lr=lr, momentum=cfg.momentum, nesterov=True)


def build_net(code: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, code), nn.ReLU(),
        nn.Linear(code, 96), nn.ReLU(), nn.Linear(96, 64),
    )


def batches(x: torch.Tensor, size: int, gen: torch.Generator):
    while True:
        order = torch.randperm(len(x), generator=gen)
        for k in range(0, len(x) - size + 1, size):
            yield x[order[k:k + size]]


def main(cfg: Config = Config()):
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    cut = int(0.8 * len(x))
    order = torch.tensor(np.random.default_rng(cfg.seed).permutation(len(x)))
    xtr, xva = x[order[:cut]], x[order[cut:]]
    va_noisy = xva + cfg.noise * torch.randn(xva.shape, generator=gen)

    net = build_net(cfg.code)
    stream = batches(xtr, cfg.batch, gen)
    for step in range(cfg.steps):
        optimizer = build_optimizer(net, lr_at(step, cfg), cfg)
        clean = next(stream)
        noisy = clean + cfg.noise * torch.randn(clean.shape, generator=gen)
        loss = nn.functional.mse_loss(net(noisy), clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % 100 == 0:
            with torch.no_grad():
                val = nn.functional.mse_loss(net(va_noisy), xva).item()
            print(f"[{step + 1:4d}/{cfg.steps}] lr={lr_at(step, cfg):.4f} train={loss.item():.5f} val={val:.5f}")


if __name__ == "__main__":
    main()
