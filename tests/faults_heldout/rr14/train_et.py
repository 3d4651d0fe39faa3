import random
import time
from types import SimpleNamespace

import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import LysimeterDays

cfg = SimpleNamespace(csv="lysimeter.csv", n=1200, n_val=200, batch=32, epochs=4, lr=5e-3, seed=10)


class ResidualMLP(nn.Module):
    def __init__(self, n_in, width=64, depth=2):
        super().__init__()
        self.inp = nn.Linear(n_in, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
            for _ in range(depth)
        )
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = h + b(h)
        return self.out(h)


def run():
    torch.manual_seed(cfg.seed)
    ids = list(range(cfg.n))
    random.Random(cfg.seed).shuffle(ids)
    train_set = LysimeterDays(cfg.csv, ids[cfg.n_val:])
    val_set = LysimeterDays(cfg.csv, ids[:cfg.n_val], train_set.scaling)
    train_loader = DataLoader(train_set, cfg.batch, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, cfg.batch)

    model = ResidualMLP(8)
    opt = torch.optim.AdamW(model.parameters(), cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs * len(train_loader), eta_min=1e-4)
    for epoch in range(cfg.epochs):
        start = time.perf_counter()
        model.train()
        loss_sum = 0.0
        for x, et in train_loader:
            loss = nn.functional.smooth_l1_loss(model(x), et)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            loss_sum += loss.item()
        model.eval()
        with torch.no_grad():
            err = torch.cat([model(x) - et for x, et in val_loader])
        print(f"epoch {epoch + 1}/{cfg.epochs} [{time.perf_counter() - start:5.1f}s] "
              f"loss {loss_sum / len(train_loader):.4f}  val MAE {err.abs().mean():.3f} mm  RMSE {err.pow(2).mean().sqrt():.3f} mm")


if __name__ == "__main__":
    run()
