"""Condition of the hydraulic press (0 ok, 1 valve lag, 2 pump leak, 3 cooler) from cycle averages."""
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from press_model import mlp

HERE = Path(__file__).parent


@dataclass
class Config:
    hidden: tuple = (64, 32)
    lr: float = 1e-3
    epochs: int = 45
    batch: int = 32
    val_share: float = 0.25
    seed: int = 8


def load_cycles():
    table = np.genfromtxt(HERE / "cycles.csv", delimiter=",", names=True)
    sensors = [n for n in table.dtype.names if n not in ("cycle", "condition")]
    x = np.stack([table[n] for n in sensors], axis=1).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(table["condition"].astype(np.int64)), sensors


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    x, y, sensors = load_cycles()
    print(len(x), "cycles,", len(sensors), "sensors:", sensors)
    perm = torch.randperm(len(x))
    cut = int(len(x) * cfg.val_share)
    val, trn = perm[:cut], perm[cut:]
    net = mlp([x.shape[1], *cfg.hidden, int(y.max()) + 1])
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    best = 0.0
    for epoch in range(1, cfg.epochs + 1):
        net.train()
        tot = 0.0
        for idx in trn[torch.randperm(len(trn))].split(cfg.batch):
            opt.zero_grad()
            loss = cross_entropy(net(x[idx]), y[idx])
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            out = net(x[val])
        acc = (out.argmax(1) == y[val]).float().mean().item()
        best = max(best, acc)
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d} | train {tot / len(trn):10.4f} | val {cross_entropy(out, y[val]):10.4f} | val acc {acc:.3f} (best {best:.3f})")


if __name__ == "__main__":
    main()
