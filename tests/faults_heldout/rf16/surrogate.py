"""Neural surrogate of a simply supported beam."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Setup:
    table: str = "beam.csv"
    depth: int = 9
    width: int = 64
    lr: float = 2e-3
    epochs: int = 45
    batch: int = 64
    seed: int = 12


def mlp(d_in, width, depth):
    layers, d = [], d_in
    for _ in range(depth):
        layers += [nn.Linear(d, width), nn.Sigmoid()]
        d = width
    layers.append(nn.Linear(d, 1))
    return nn.Sequential(*layers)


class Experiment:
    def __init__(self, s: Setup):
        torch.manual_seed(s.seed)
        self.s = s
        t = torch.from_numpy(np.loadtxt(s.table, delimiter=",", skiprows=1, dtype=np.float32))
        t = t[torch.randperm(len(t))]
        n = int(0.8 * len(t))
        mu, sd = t[:n].mean(0), t[:n].std(0)
        t = (t - mu) / sd
        self.train, self.test = t[:n], t[n:]
        self.net = mlp(t.shape[1] - 1, s.width, s.depth)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=s.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, s.epochs)

    def loss(self, rows):
        return nn.functional.mse_loss(self.net(rows[:, :-1]).squeeze(-1), rows[:, -1])

    def one_epoch(self):
        self.net.train()
        vals = []
        for rows in self.train[torch.randperm(len(self.train))].split(self.s.batch):
            self.opt.zero_grad()
            l = self.loss(rows)
            l.backward()
            self.opt.step()
            vals.append(l.item())
        self.sched.step()
        return sum(vals) / len(vals)

    def run(self):
        for e in range(1, self.s.epochs + 1):
            tr = self.one_epoch()
            if e % 5 == 0:
                self.net.eval()
                with torch.no_grad():
                    te = self.loss(self.test).item()
                print(f"{e:3d}/{self.s.epochs} train {tr:.5f} test {te:.5f}")


if __name__ == "__main__":
    Experiment(Setup()).run()
