import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class Settings:
    table: Path = Path(__file__).parent / "exchanger_runs.csv"
    target: str = "p_out"
    widths: tuple = (64, 64)
    epochs: int = 40
    batch: int = 32
    lr: float = 1e-3
    seed: int = 19


class Table:
    def __init__(self, path, target):
        with path.open() as fh:
            rows = list(csv.reader(fh))
        head, body = rows[0], np.array(rows[1:], dtype=np.float64)
        j = head.index(target)
        self.y = torch.tensor(body[:, j], dtype=torch.float32).unsqueeze(1)
        feats = np.delete(body, j, axis=1)
        self.x = torch.tensor((feats - feats.mean(0)) / feats.std(0), dtype=torch.float32)


class Surrogate(nn.Module):
    def __init__(self, d, widths):
        super().__init__()
        layers = []
        for w in widths:
            layers += [nn.Linear(d, w), nn.Tanh()]
            d = w
        self.body = nn.Sequential(*layers)
        self.readout = nn.Linear(d, 1)

    def forward(self, x):
        return self.readout(self.body(x))


class Fitter:
    def __init__(self, s: Settings):
        torch.manual_seed(s.seed)
        t = Table(s.table, s.target)
        ds = TensorDataset(t.x, t.y)
        n_val = len(ds) // 5
        self.tr, self.va = random_split(ds, [len(ds) - n_val, n_val])
        self.net = Surrogate(t.x.shape[1], s.widths)
        self.opt = optim.NAdam(self.net.parameters(), lr=s.lr)
        self.crit = nn.MSELoss()
        self.s = s

    def epoch(self):
        self.net.train()
        out = []
        for x, y in DataLoader(self.tr, self.s.batch, shuffle=True):
            self.opt.zero_grad()
            loss = self.crit(self.net(x), y)
            loss.backward()
            self.opt.step()
            out.append(loss.item())
        return float(np.mean(out))

    @torch.no_grad()
    def r2(self):
        self.net.eval()
        x, y = self.va[:]
        res = ((self.net(x) - y) ** 2).sum()
        return 1 - (res / ((y - y.mean()) ** 2).sum()).item()

    def fit(self):
        for e in range(1, self.s.epochs + 1):
            tr = self.epoch()
            if e % 4 == 0 or e == 1:
                print(f"epoch {e:3d} mse={tr:.5g} val_r2={self.r2():.4f}")


if __name__ == "__main__":
    Fitter(Settings()).fit()
