"""Heating load, cooling load and energy band of buildings from one trunk.
Task weights are learned as homoscedastic uncertainties (Kendall et al. 2018)."""
import math
from dataclasses import dataclass, asdict

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
from data import FEATURES, buildings


@dataclass
class Options:
    epochs: int = 16
    batch_size: int = 30
    lr: float = 0.03
    momentum: float = 0.9
    warmup_epochs: int = 3
    width: int = 64
    seed: int = 12


class MultiTask(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.loads = nn.Linear(width, 2)
        self.band = nn.Linear(width, 3)
        self.log_var = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        h = self.trunk(x)
        return self.loads(h), self.band(h)

    def objective(self, x, loads, band):
        p, logits = self(x)
        mse = ((p - loads) ** 2).mean(0)
        terms = torch.stack([0.5 * mse[0], 0.5 * mse[1], F.cross_entropy(logits, band)])
        return (torch.exp(-self.log_var) * terms + 0.5 * self.log_var).sum()


class Trainer:
    def __init__(self, opt):
        torch.manual_seed(opt.seed)
        self.o = opt
        train, test = buildings(opt.seed)
        self.loader = DataLoader(train, opt.batch_size, shuffle=True)
        self.test = test.tensors
        self.model = MultiTask(len(FEATURES), opt.width)
        self.optim = torch.optim.SGD(self.model.parameters(), lr=opt.lr, momentum=opt.momentum)
        warm = opt.warmup_epochs * len(self.loader)
        total = opt.epochs * len(self.loader)

        def factor(step):
            if step < warm:
                return (step + 1) / warm
            return 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))

        self.sched = torch.optim.lr_scheduler.LambdaLR(self.optim, factor)

    def epoch(self):
        self.model.train()
        total = 0.0
        for x, loads, band in self.loader:
            loss = self.model.objective(x, loads, band)
            self.optim.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.optim.step()
            total += loss.item() * len(x)
        self.sched.step()
        return total / len(self.loader.dataset)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        x, loads, band = self.test
        p, logits = self.model(x)
        r2 = 1 - ((p - loads) ** 2).mean(0) / loads.var(0, unbiased=False)
        return r2.tolist(), (logits.argmax(1) == band).float().mean().item()

    def fit(self):
        print(asdict(self.o))
        for e in range(1, self.o.epochs + 1):
            loss = self.epoch()
            (heat, cool), acc = self.evaluate()
            print(f"epoch {e:2d}  objective {loss:.4f}  R2 heating {heat:.3f} cooling {cool:.3f}  band accuracy {acc:.3f}")


if __name__ == "__main__":
    Trainer(Options()).fit()
