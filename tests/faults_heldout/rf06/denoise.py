"""Residual denoiser for 8x8 scans."""
import json
import math
from types import SimpleNamespace

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.GELU(), nn.Conv2d(c, c, 3, padding=1))

    def forward(self, x):
        return x + self.body(x)


class Denoiser(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.stem = nn.Conv2d(1, c, 3, padding=1)
        self.blocks = nn.Sequential(Block(c), Block(c))
        self.tail = nn.Conv2d(c, 1, 3, padding=1)

    def forward(self, x):
        return x - self.tail(self.blocks(self.stem(x)))


def make_schedule(cfg, total):
    warm = max(1, int(cfg.warmup_share * total))

    def rate(step):
        if step < warm:
            return cfg.peak_lr * (step + 1) / warm
        t = (step - warm) / max(1, total - warm)
        return cfg.peak_lr * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * t)))

    return rate


@torch.no_grad()
def validate(net, clean, noisy):
    net.eval()
    return nn.functional.mse_loss(net(noisy), clean).item()


def main():
    with open("settings.json") as fh:
        cfg = SimpleNamespace(**json.load(fh))
    torch.manual_seed(cfg.seed)
    imgs = torch.tensor(load_digits().images, dtype=torch.float32).unsqueeze(1) / 16.0
    train, val = random_split(TensorDataset(imgs), [1440, len(imgs) - 1440])
    loader = DataLoader(train, batch_size=cfg.batch, shuffle=True)
    v_clean = torch.stack([val[i][0] for i in range(len(val))])
    v_noisy = v_clean + cfg.noise * torch.randn_like(v_clean)

    net = Denoiser(cfg.width)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.peak_lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, make_schedule(cfg, cfg.epochs * len(loader)))

    print(f"identity mse {nn.functional.mse_loss(v_noisy, v_clean).item():.5f}")
    for epoch in range(cfg.epochs):
        net.train()
        acc = 0.0
        for (x,) in loader:
            noisy = x + cfg.noise * torch.randn_like(x)
            loss = nn.functional.mse_loss(net(noisy), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            acc += loss.item() * len(x)
        print(f"[{epoch:2d}] train {acc / len(train):.5f} val {validate(net, v_clean, v_noisy):.5f}")


if __name__ == "__main__":
    main()
