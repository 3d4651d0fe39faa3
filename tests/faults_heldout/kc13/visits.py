"""Hourly visit counts: Poisson regression with a GRU over the last 24 hours."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Options:
    hidden: int = 24
    lr: float = 0.02
    momentum: float = 0.9
    max_norm: float = 0.5
    batch: int = 40
    epochs: int = 25
    data: str = "visits.npz"


class CountNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(3, hidden, batch_first=True)
        self.rate = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.rate(self.gru(x)[0][:, -1]).squeeze(-1)


def deviance(log_rate, y):
    mu = log_rate.exp()
    t = torch.where(y > 0, y * (y.clamp(min=1) / mu).log(), torch.zeros_like(y))
    return (2 * (t - (y - mu))).mean().item()


class Runner:
    def __init__(self, opt: Options):
        self.o = opt
        d = np.load(opt.data)
        x = torch.from_numpy(d["history"].astype(np.float32))
        x = (x - x[:1200].mean((0, 1))) / x[:1200].std((0, 1))
        y = torch.from_numpy(d["next_count"].astype(np.float32))
        self.train, self.test = (x[:1200], y[:1200]), (x[1200:], y[1200:])
        self.model = CountNet(opt.hidden)
        nn.init.constant_(self.model.rate.bias, float(self.train[1].mean().log()))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=opt.lr, momentum=opt.momentum)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, opt.epochs)
        self.nll = nn.PoissonNLLLoss(log_input=True)

    def update(self, x, y):
        loss = self.nll(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.o.max_norm)
        self.optimizer.zero_grad()
        return loss.item(), norm.item()

    def fit(self):
        x, y = self.train
        for epoch in range(self.o.epochs):
            self.model.train()
            stats = [self.update(x[b], y[b]) for b in torch.randperm(len(y)).split(self.o.batch)]
            self.scheduler.step()
            self.model.eval()
            with torch.no_grad():
                dev = deviance(self.model(self.test[0]), self.test[1])
            loss, norm = np.mean(stats, axis=0)
            print(f"epoch {epoch + 1:2d} nll {loss:9.3f} |grad| {norm:9.2f} test deviance {dev:9.3f}")


if __name__ == "__main__":
    torch.manual_seed(4)
    runner = Runner(Options())
    base = deviance(runner.train[1].mean().log().expand(300), runner.test[1])
    print(f"deviance of the constant mean: {base:.2f}")
    runner.fit()
