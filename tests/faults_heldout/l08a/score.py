"""Disease progression score from a baseline examination."""
import csv
import tomllib
from pathlib import Path

import torch
from torch import nn

BASE = Path(__file__).resolve().parent


class Table:
    def __init__(self, path, fold_column, target):
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        self.names = [k for k in rows[0] if k not in (fold_column, target)]
        self.x = torch.tensor([[float(r[k]) for k in self.names] for r in rows])
        self.y = torch.tensor([float(r[target]) for r in rows])
        self.fold = [r[fold_column] for r in rows]

    def select(self, fold):
        idx = torch.tensor([i for i, f in enumerate(self.fold) if f == fold])
        assert len(idx), f"no rows in fold {fold!r}"
        return self.x[idx], self.y[idx]


class ResBlock(nn.Module):
    def __init__(self, d, p):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d), nn.GELU(), nn.Dropout(p), nn.Linear(d, d))

    def forward(self, x):
        return x + self.f(x)


class Scorer(nn.Module):
    def __init__(self, d, hidden, blocks, dropout):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, hidden), *[ResBlock(hidden, dropout) for _ in range(blocks)],
                                 nn.LayerNorm(hidden), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def r2(pred, y):
    return 1 - (pred - y).pow(2).sum() / (y - y.mean()).pow(2).sum()


def main():
    cfg = tomllib.loads((BASE / "experiment.toml").read_text())
    torch.manual_seed(cfg["seed"])
    table = Table(BASE / cfg["data"]["table"], cfg["data"]["fold_column"], cfg["data"]["target"])
    x, y = table.select(cfg["folds"]["fit"])
    xv, yv = table.select(cfg["folds"]["validation"])
    if cfg["data"]["standardize"]:
        m, s = x.mean(0), x.std(0)
        x, xv = (x - m) / s, (xv - m) / s
        ym, ys = y.mean(), y.std()
        y, yv = (y - ym) / ys, (yv - ym) / ys
    model = Scorer(x.shape[1], **cfg["model"])
    oc = cfg["optim"]
    opt = torch.optim.AdamW(model.parameters(), lr=oc["lr"], weight_decay=oc["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, oc["epochs"])
    for epoch in range(1, oc["epochs"] + 1):
        model.train()
        tot = 0.0
        for idx in torch.randperm(len(x)).split(oc["batch_size"]):
            loss = nn.functional.mse_loss(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        sched.step()
        model.eval()
        with torch.no_grad():
            p = model(xv)
            val_loss, val_r2 = nn.functional.mse_loss(p, yv).item(), r2(p, yv).item()
        if epoch % cfg["log"]["every"] == 0 or epoch == 1:
            print(f"{cfg['name']} {epoch:3d}: train_mse {tot / len(x):.4f} val_mse {val_loss:.4f} val_r2 {val_r2:.4f}")


if __name__ == "__main__":
    main()
