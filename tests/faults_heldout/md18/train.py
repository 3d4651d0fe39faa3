import argparse
import os

import numpy as np
import torch
from torch import nn


class PriceNet(nn.Module):
    """Raw columns in, dollars out; scaling constants travel with the weights."""

    def __init__(self, d, hidden=64):
        super().__init__()
        for name in ("x_mean", "x_std"):
            self.register_buffer(name, torch.zeros(d))
        for name in ("y_mean", "y_std"):
            self.register_buffer(name, torch.zeros(()))
        self.net = nn.Sequential(nn.Linear(d, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 1))

    def set_scale(self, x, y):
        self.x_mean.copy_(x.mean(0)), self.x_std.copy_(x.std(0))
        self.y_mean.copy_(y.mean()), self.y_std.copy_(y.std())

    def forward(self, x):
        return self.net((x - self.x_mean) / self.x_std).squeeze(1) * self.y_std + self.y_mean


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--until", type=int, default=60)
    p.add_argument("--total", type=int, default=60)
    p.add_argument("--resume")
    p.add_argument("--save", default="last.pt")
    p.add_argument("--lr", type=float, default=3e-3)
    a = p.parse_args()
    torch.manual_seed(71)
    t = torch.tensor(np.loadtxt("houses.csv", delimiter=",", skiprows=1), dtype=torch.float32)
    t = t[torch.randperm(len(t), generator=torch.Generator().manual_seed(5))]
    X, y = t[:, :-1], t[:, -1]
    Xt, yt, Xv, yv = X[:2400], y[:2400], X[2400:], y[2400:]
    net = PriceNet(X.shape[1])
    net.set_scale(Xt, yt)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.total)
    first = 0
    if a.resume:
        ck = torch.load(a.resume, weights_only=True)
        net.load_state_dict(ck["net"])
        opt.load_state_dict(ck["opt"])
        sched.load_state_dict(ck["sched"])
        torch.set_rng_state(ck["rng"])
        first = ck["epoch"]
        print(f"continuing after epoch {first}, lr {sched.get_last_lr()[0]:.2e}")
    for ep in range(first + 1, a.until + 1):
        net.train()
        s = 0.0
        for b in torch.randperm(len(Xt)).split(50):
            loss = nn.functional.mse_loss(net(Xt[b]), yt[b])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            s += loss.item() * len(b)
        sched.step()
        if ep % 5 == 0:
            net.eval()
            with torch.no_grad():
                out = net(Xv)
            mse = nn.functional.mse_loss(out, yv).item()
            print(f"epoch {ep} mse {s / len(Xt):.4g} val mse {mse:.4g} val MAE ${(out - yv).abs().mean():,.0f} R2 {1 - mse / yv.var(unbiased=False).item():.4f}")
    torch.save({"net": net.state_dict(), "opt": opt.state_dict(), "sched": sched.state_dict(),
                "rng": torch.get_rng_state(), "epoch": a.until}, a.save)


if __name__ == "__main__":
    main()
