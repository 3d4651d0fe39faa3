from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent


@dataclass
class Config:
    train_file: str = "crops_train.npz"
    valid_file: str = "crops_valid.npz"
    batch_size: int = 24
    epochs: int = 18
    lr: float = 0.05
    momentum: float = 0.9
    weight_decay: float = 5e-4
    seed: int = 11


class FruitNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(),
            nn.Conv2d(16, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(24, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.ReLU(),
        )
        self.classifier = nn.Sequential(nn.Dropout(0.1), nn.Linear(32, n_classes))

    def forward(self, x):
        return self.classifier(self.features(x).mean((2, 3)))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.x, self.y = self.load(cfg.train_file)
        self.vx, self.vy = self.load(cfg.valid_file)
        self.net = FruitNet(int(self.y.max()) + 1)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg.lr, momentum=cfg.momentum,
                                   weight_decay=cfg.weight_decay, nesterov=True)
        steps = cfg.epochs * (len(self.x) // cfg.batch_size + 1)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, cfg.lr, total_steps=steps)
        self.crit = nn.CrossEntropyLoss()

    def load(self, name):
        blob = np.load(HERE / name)
        pixels = torch.from_numpy(blob["images"]).permute(0, 3, 1, 2).float() / 255
        return (pixels - 0.45) / 0.25, torch.from_numpy(blob["labels"]).long()

    def batches(self):
        order = torch.randperm(len(self.x))
        for idx in order.split(self.cfg.batch_size):
            xb = self.x[idx]
            if torch.rand(()) < 0.5:
                xb = xb.flip(3)
            yield xb, self.y[idx]

    def fit(self):
        for epoch in range(self.cfg.epochs):
            self.net.train()
            total, right = 0.0, 0
            for xb, yb in self.batches():
                self.opt.zero_grad(set_to_none=True)
                out = self.net(xb)
                loss = self.crit(out, yb)
                loss.backward()
                self.opt.step()
                self.sched.step()
                total += loss.item() * len(yb)
                right += (out.argmax(1) == yb).sum().item()
            n = len(self.x)
            vl, va = self.validate()
            print(f"[{epoch:02d}] loss={total / n:.3f} acc={right / n:.3f} | val_loss={vl:.3f} val_acc={va:.3f}")

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        out = self.net(self.vx)
        return self.crit(out, self.vy).item(), (out.argmax(1) == self.vy).float().mean().item()


if __name__ == "__main__":
    Trainer(Config()).fit()
