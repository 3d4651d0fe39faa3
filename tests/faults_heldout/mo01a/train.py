"""Gearbox state classifier on short accelerometer windows."""
import sys
import tomllib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent


class WindowNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.stem = nn.Conv1d(1, width, 9, stride=2, padding=4)
        self.n1 = nn.GroupNorm(4, width)
        self.mid = nn.Conv1d(width, 2 * width, 7, stride=2, padding=3)
        self.n2 = nn.GroupNorm(4, 2 * width)
        self.head = nn.Linear(4 * width, classes)

    def forward(self, x):
        x = F.relu(self.n1(self.stem(x)))
        x = F.relu(self.n2(self.mid(x)))
        return self.head(torch.cat([x.mean(-1), x.amax(-1)], dim=1))


def load(path, val_fraction, seed):
    z = np.load(path)
    x = torch.tensor(z["accel"].astype(np.float32)).unsqueeze(1)
    y = torch.tensor(z["state"].astype(np.int64))
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    n_val = int(len(y) * val_fraction)
    va, tr = order[:n_val], order[n_val:]
    mu, sd = x[tr].mean(), x[tr].std()
    x = (x - mu) / sd
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[va], y[va])


@torch.no_grad()
def evaluate(model, ds):
    model.eval()
    x, y = ds.tensors
    out = model(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main(config_file="gearbox.toml"):
    cfg = tomllib.loads((HERE / config_file).read_text())
    opt_cfg, data_cfg = cfg["optim"], cfg["data"]
    torch.manual_seed(cfg["seed"])
    train, val = load(HERE / data_cfg["file"], data_cfg["val_fraction"], cfg["seed"])
    loader = DataLoader(train, batch_size=data_cfg["batch_size"], shuffle=True, drop_last=True)
    model = WindowNet(cfg["model"]["width"], 4)
    opt = torch.optim.SGD(model.parameters(), lr=opt_cfg["lr"], momentum=opt_cfg["momentum"],
                          weight_decay=opt_cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, opt_cfg["epochs"] * len(loader))
    for epoch in range(opt_cfg["epochs"]):
        model.train()
        running = 0.0
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), opt_cfg["grad_norm"])
            opt.step()
            sched.step()
            running += loss.item()
        vl, va = evaluate(model, val)
        print(f"epoch {epoch:02d}  train {running / len(loader):.4f}  val {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
