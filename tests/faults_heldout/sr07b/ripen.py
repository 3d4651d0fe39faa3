import argparse
import copy
import csv

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)


class Wheels:
    """Head-space scans: one row per sampled wheel, log peak areas of the volatiles, age in days."""

    def __init__(self, path, like=None):
        with open(path, newline="") as f:
            reader = csv.DictReader(f)
            peaks = [c for c in reader.fieldnames if c.startswith("mz_")]
            rows = list(reader)
        self.code = [r["sample"] for r in rows]
        area = np.array([[float(r[p]) for p in peaks] for r in rows])
        self.raw = np.log10(area)
        src = like or self
        if like is None:
            self.shift, self.width = self.raw.mean(0), self.raw.std(0)
        self.x = torch.tensor((self.raw - src.shift) / src.width, dtype=torch.float32)
        self.y = torch.tensor([float(r["age_days"]) for r in rows]) / 30.0

    def __len__(self):
        return len(self.y)


def trunk(d, h):
    return nn.Sequential(nn.Linear(d, h), nn.LeakyReLU(0.1), nn.Linear(h, h), nn.LeakyReLU(0.1))


def warm_start(net, data, a):
    """denoise the volatile profile before ages are looked at"""
    back = nn.Linear(a.hidden, data.x.shape[1])
    opt = torch.optim.Adam([*net.parameters(), *back.parameters()], lr=a.pre_lr)
    for step in range(a.pre_steps):
        b = data.x[torch.randint(len(data), (64,))]
        keep = (torch.rand_like(b) > 0.25).float()
        loss = ((back(net(b * keep)) - b) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (step + 1) % 100 == 0:
            print(f"denoise {step + 1}: {loss.item():.4f}")


class Ager(nn.Module):
    def __init__(self, net, h):
        super().__init__()
        self.net, self.out = net, nn.Linear(h, 1, bias=False)
        self.register_buffer("offset", torch.zeros(()))

    def forward(self, x):
        return self.out(self.net(x)).squeeze(1)

    @torch.no_grad()
    def calibrate(self, x, y):
        # differences say nothing of the level, so set it in closed form
        self.offset.copy_((y - self(x)).mean())

    @torch.no_grad()
    def months(self, x):
        return self(x) + self.offset


def rmse_days(pred, y):
    return 30.0 * (pred - y).square().mean().sqrt().item()


def train(model, fit, dev, a):
    opt = torch.optim.AdamW([
        {"params": model.net.parameters(), "lr": a.lr, "weight_decay": a.decay},
        {"params": model.out.parameters(), "lr": 3 * a.lr, "weight_decay": 0.0},
    ])
    best, best_state, since = float("inf"), None, 0
    for epoch in range(1, a.epochs + 1):
        model.train()
        tot = 0.0
        for idx in torch.randperm(len(fit)).split(a.batch):
            f, y = model(fit.x[idx]), fit.y[idx]
            gap = (f[:, None] - f[None, :]) - (y[:, None] - y[None, :])
            loss = nn.functional.huber_loss(gap, torch.zeros_like(gap), delta=4.0)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        model.eval()
        model.calibrate(fit.x, fit.y)
        score = rmse_days(model.months(dev.x), dev.y)
        if score < best - 0.01:
            best, best_state, since = score, copy.deepcopy(model.state_dict()), 0
        else:
            since += 1
        if epoch % 10 == 0 or since == a.patience:
            print(f"epoch {epoch:3d}  pair loss {tot / len(fit):.4f}  fit rmse {rmse_days(model.months(fit.x), fit.y):6.2f} d  dev rmse {score:6.2f} d")
        if since == a.patience:
            break
    model.load_state_dict(best_state)
    return epoch


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--fit", default="dairy_2023.csv")
    p.add_argument("--dev", default="dairy_dev.csv")
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--pre-steps", type=int, default=300)
    p.add_argument("--pre-lr", type=float, default=2e-3)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--decay", type=float, default=0.02)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--epochs", type=int, default=240)
    p.add_argument("--patience", type=int, default=12)
    p.add_argument("--seed", type=int, default=19)
    a = p.parse_args()

    torch.manual_seed(a.seed)
    fit = Wheels(a.fit)
    dev = Wheels(a.dev, like=fit)
    assert not set(fit.code) & set(dev.code)
    print(f"{len(fit)} wheels to fit, {len(dev)} to develop on, {fit.x.shape[1]} volatiles")
    net = trunk(fit.x.shape[1], a.hidden)
    warm_start(net, fit, a)
    model = Ager(net, a.hidden)
    last = train(model, fit, dev, a)
    pred = model.months(dev.x)
    r2 = 1 - ((pred - dev.y) ** 2).sum() / ((dev.y - dev.y.mean()) ** 2).sum()
    print(f"stopped after {last} epochs; dev RMSE {rmse_days(pred, dev.y):.2f} days, R2 {r2.item():.3f}")
    return model, fit


if __name__ == "__main__":
    main()
