"""Protein / moisture of wheat samples from nine NIR bands, one network with two outputs."""
import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from losses import UncertaintyWeighted

TARGETS = ["protein", "moisture"]
HERE = Path(__file__).parent


def load(path):
    table = pd.read_csv(path)
    feats = [c for c in table.columns if c not in TARGETS + ["split"]]
    parts = {}
    for name, part in table.groupby("split"):
        parts[name] = (part[feats].to_numpy(np.float32), part[TARGETS].to_numpy(np.float32))
    return parts, feats


class Scaler:
    def __init__(self, a):
        self.mean, self.std = a.mean(0), a.std(0)

    def __call__(self, a):
        return torch.from_numpy((a - self.mean) / self.std)

    def back(self, t):
        return t.numpy() * self.std + self.mean


class Net(nn.Module):
    def __init__(self, d_in, d_hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(d_in, d_hidden), nn.SiLU(),
            nn.Linear(d_hidden, d_hidden), nn.SiLU(),
        )
        self.heads = nn.ModuleList([nn.Linear(d_hidden, 1) for _ in TARGETS])

    def forward(self, x):
        h = self.trunk(x)
        return torch.cat([head(h) for head in self.heads], dim=1)


@torch.no_grad()
def rmse(net, x, y_raw, ys):
    net.eval()
    pred = ys.back(net(x))
    net.train()
    return np.sqrt(((pred - y_raw) ** 2).mean(0))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default=str(HERE / "grain_lab.csv"))
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    parts, feats = load(args.data)
    xs, ys = Scaler(parts["train"][0]), Scaler(parts["train"][1])
    x_tr, y_tr = xs(parts["train"][0]), ys(parts["train"][1])
    x_va, x_te = xs(parts["val"][0]), xs(parts["test"][0])
    loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=32, shuffle=True)

    net = Net(len(feats))
    criterion = UncertaintyWeighted(TARGETS)
    opt = torch.optim.AdamW([
        {"params": net.parameters(), "weight_decay": 1e-3},
        {"params": criterion.parameters(), "weight_decay": 0.0, "lr": 10 * args.lr},
    ], lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(loader))

    for epoch in range(1, args.epochs + 1):
        total = 0.0
        for xb, yb in loader:
            loss = criterion(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(xb)
        if epoch % 4 == 0 or epoch == 1:
            p, m = rmse(net, x_va, parts["val"][1], ys)
            s = " ".join(f"{k}={v:.2f}" for k, v in criterion.sigmas().items())
            print(f"epoch {epoch:3d}  loss {total / len(x_tr):7.4f}  val rmse protein {p:.3f} moisture {m:.3f}  sigma {s}")

    p, m = rmse(net, x_te, parts["test"][1], ys)
    print(f"test rmse: protein {p:.3f} %  moisture {m:.3f} %   (std of targets {parts['test'][1].std(0).round(3)})")


if __name__ == "__main__":
    main()
