"""Tanh tower on the Friedman-1 regression surface; settings live in model.json."""
import dataclasses
import json
import os

import numpy as np
import torch
from sklearn.datasets import make_friedman1
from torch import nn

CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.json")


@dataclasses.dataclass
class Config:
    width: int
    depth: int
    init_std: float
    lr: float
    epochs: int
    batch: int
    seed: int

    @classmethod
    def load(cls, path=CONFIG):
        with open(path) as f:
            return cls(**json.load(f))


class Tower(nn.Module):
    def __init__(self, d_in, cfg):
        super().__init__()
        sizes = [d_in] + [cfg.width] * cfg.depth
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.readout = nn.Linear(cfg.width, 1)
        self.init_std = cfg.init_std
        self.apply(self._init)

    def _init(self, m):
        if isinstance(m, nn.Linear):
            nn.init.normal_(m.weight, mean=0.0, std=self.init_std)
            nn.init.zeros_(m.bias)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.readout(x).squeeze(1)


def data(seed):
    x, y = make_friedman1(n_samples=2500, n_features=10, noise=0.5, random_state=seed)
    tr, va = slice(0, 2000), slice(2000, None)
    xm, xs, ym, ys = x[tr].mean(0), x[tr].std(0), y[tr].mean(), y[tr].std()
    t = lambda a: torch.tensor(a, dtype=torch.float32)
    x, y = (x - xm) / xs, (y - ym) / ys
    return t(x[tr]), t(y[tr]), t(x[va]), t(y[va])


def main():
    cfg = Config.load()
    torch.manual_seed(cfg.seed)
    x, y, xv, yv = data(cfg.seed)
    net = Tower(x.size(1), cfg)
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)
    for ep in range(cfg.epochs):
        net.train()
        losses = []
        for idx in torch.randperm(len(x)).split(cfg.batch):
            loss = nn.functional.mse_loss(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        net.eval()
        with torch.no_grad():
            r2 = 1 - (nn.functional.mse_loss(net(xv), yv) / yv.var()).item()
        if ep % 4 == 3:
            print(json.dumps({"epoch": ep + 1, "train_mse": round(float(np.mean(losses)), 4), "val_r2": round(r2, 4)}))


if __name__ == "__main__":
    main()
