import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


@dataclass
class Config:
    epochs: int = 18
    batch_size: int = 64
    max_lr: float = 0.04
    momentum: float = 0.9
    weight_decay: float = 5e-4
    smoothing: float = 0.1
    ema_decay: float = 0.98
    width: int = 24
    seed: int = 0


class Averaged:
    """Exponential moving average of a model, with the usual (1+t)/(10+t) ramp."""

    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)
        self.decay, self.t = decay, 0

    @torch.no_grad()
    def update(self, model):
        self.t += 1
        d = min(self.decay, (1 + self.t) / (10 + self.t))
        for a, b in zip(self.model.parameters(), model.parameters()):
            a.lerp_(b, 1 - d)
        for a, b in zip(self.model.buffers(), model.buffers()):
            a.copy_(b)


class ResBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1 = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(c)
        self.conv2 = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(c)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        return F.relu(x + self.bn2(self.conv2(h)))


def build(width):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
        ResBlock(width),
        nn.Conv2d(width, 2 * width, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(2 * width), nn.ReLU(),
        ResBlock(2 * width),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.1), nn.Linear(2 * width, 10),
    )


def augment(x, gen):
    """Random shift by at most one pixel, contrast jitter and sensor noise."""
    n = x.size(0)
    padded = F.pad(x, (1, 1, 1, 1))
    dy = torch.randint(0, 3, (n,), generator=gen)
    dx = torch.randint(0, 3, (n,), generator=gen)
    rows = dy[:, None] + torch.arange(8)
    cols = dx[:, None] + torch.arange(8)
    out = padded[torch.arange(n)[:, None, None], 0, rows[:, :, None], cols[:, None, :]].unsqueeze(1)
    gain = 1 + 0.15 * (2 * torch.rand(n, 1, 1, 1, generator=gen) - 1)
    return out * gain + 0.03 * torch.randn(out.shape, generator=gen)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.gen = torch.Generator().manual_seed(cfg.seed + 1)
        x, y = load_digits(return_X_y=True)
        x = (x / 16.0).astype(np.float32).reshape(-1, 1, 8, 8)
        xt, xv, yt, yv = train_test_split(x, y, test_size=0.25, stratify=y, random_state=cfg.seed)
        self.xt, self.yt = torch.from_numpy(xt), torch.from_numpy(yt)
        self.xv, self.yv = torch.from_numpy(xv), torch.from_numpy(yv)
        self.model = build(cfg.width)
        self.avg = Averaged(self.model, cfg.ema_decay)
        self.steps = len(xt) // cfg.batch_size
        decay = [p for p in self.model.parameters() if p.ndim > 1]
        plain = [p for p in self.model.parameters() if p.ndim <= 1]
        self.opt = torch.optim.SGD(
            [{"params": decay, "weight_decay": cfg.weight_decay}, {"params": plain, "weight_decay": 0.0}],
            lr=cfg.max_lr, momentum=cfg.momentum, nesterov=True)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.opt, max_lr=cfg.max_lr, total_steps=cfg.epochs * self.steps, pct_start=0.25)
        self.loss = nn.CrossEntropyLoss(label_smoothing=cfg.smoothing)

    def epoch(self):
        self.model.train()
        order = torch.randperm(len(self.xt), generator=self.gen)[: self.steps * self.cfg.batch_size]
        running, right = 0.0, 0
        for chunk in order.split(self.cfg.batch_size):
            xb, yb = augment(self.xt[chunk], self.gen), self.yt[chunk]
            logits = self.model(xb)
            loss = self.loss(logits, yb)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.sched.step()
            self.avg.update(self.model)
            running += loss.item() * len(chunk)
            right += (logits.argmax(1) == yb).sum().item()
        return running / len(order), right / len(order)

    @torch.no_grad()
    def accuracy(self, net):
        net.eval()
        return (net(self.xv).argmax(1) == self.yv).float().mean().item()

    def fit(self):
        for e in range(self.cfg.epochs):
            loss, acc = self.epoch()
            print(f"[{e + 1:2d}/{self.cfg.epochs}] loss={loss:.4f} train_acc(aug)={acc:.4f} "
                  f"val={self.accuracy(self.model):.4f} val_ema={self.accuracy(self.avg.model):.4f} "
                  f"lr={self.sched.get_last_lr()[0]:.4f}", flush=True)


if __name__ == "__main__":
    Trainer(Config()).fit()
