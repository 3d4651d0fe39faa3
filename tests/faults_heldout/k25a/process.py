import math
import pathlib

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

BASE = pathlib.Path(__file__).parent


class Batches(Dataset):
    """Reactor runs: 10 settings -> yield, purity."""

    def __init__(self, name, stats=None):
        z = np.load(BASE / name)
        x, y = z["settings"].astype(np.float32), z["outcome"].astype(np.float32)
        self.stats = stats or (x.mean(0), x.std(0), y.mean(0), y.std(0))
        mx, sx, my, sy = self.stats
        self.x, self.y = torch.from_numpy((x - mx) / sx), torch.from_numpy((y - my) / sy)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class TwoHeads(nn.Module):
    def __init__(self, n_in=10, width=160):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(n_in, width), nn.GELU(), nn.Dropout(0.1), nn.Linear(width, width), nn.GELU(), nn.Dropout(0.1))
        self.heads = nn.ModuleList(nn.Linear(width, 1) for _ in range(2))
        self.log_var = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        h = self.shared(x)
        return torch.cat([head(h) for head in self.heads], 1)

    def loss(self, x, y):
        mse = ((self(x) - y) ** 2).mean(0)
        return (0.5 * torch.exp(-self.log_var) * mse + 0.5 * self.log_var).sum(), mse


def r2(model, ds):
    model.eval()
    with torch.no_grad():
        res = ((model(ds.x) - ds.y) ** 2).mean(0) / ds.y.var(0)
    model.train()
    return (1 - res).tolist()


def run(epochs=60, batch=32, lr=2e-3):
    torch.manual_seed(33)
    train = Batches("train.npz")
    val = Batches("val.npz", train.stats)
    model = TwoHeads()
    decay = [p for n, p in model.named_parameters() if n != "log_var"]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 1e-2}, {"params": [model.log_var], "weight_decay": 0.0, "lr": 4 * lr}], lr=lr)
    loader = DataLoader(train, batch, shuffle=True, drop_last=True)
    total = epochs * len(loader)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 0.5 * (1 + math.cos(math.pi * min(1, s / total))) + 1e-3)
    for ep in range(1, epochs + 1):
        agg = torch.zeros(2)
        for x, y in loader:
            loss, mse = model.loss(x, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            agg += mse.detach()
        if ep % 5 == 0:
            a, b = r2(model, val)
            m = (agg / len(loader)).tolist()
            print(f"epoch {ep:3d} mse {m[0]:.3f}/{m[1]:.3f} sigma {model.log_var.exp().sqrt().tolist()} val r2 yield {a:.3f} purity {b:.3f}")


if __name__ == "__main__":
    run()
