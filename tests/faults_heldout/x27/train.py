"""Hourly bike counts (simulated) with a Poisson network."""
import dataclasses
import logging

import numpy as np
import torch
from torch import nn

logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)


@dataclasses.dataclass(frozen=True)
class Params:
    width: int = 64
    keep: float = 0.9
    epochs: int = 30
    batch: int = 64
    lr: float = 2e-3
    weight_decay: float = 1e-4


def simulate(n, seed):
    rng = np.random.default_rng(seed)
    hour, day = rng.uniform(0, 24, n), rng.integers(0, 7, n)
    temp, rain = rng.normal(14, 7, n), rng.random(n) < 0.2
    work = day < 5
    rush = np.exp(-((hour - 8) / 1.5) ** 2) + np.exp(-((hour - 17.5) / 2) ** 2)
    noon = np.exp(-((hour - 14) / 4) ** 2)
    log_rate = 1.2 + np.where(work, 1.8 * rush, 1.5 * noon) + 0.5 * np.tanh((temp - 10) / 8) - 0.8 * rain
    count = rng.poisson(np.exp(log_rate))
    ang = 2 * np.pi * hour / 24
    x = np.stack([np.sin(ang), np.cos(ang), np.sin(2 * ang), np.cos(2 * ang), work * 2.0 - 1.0, (temp - 14) / 7, rain * 2.0 - 1.0], 1)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(count, dtype=torch.float32)


class RateNet(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(7, p.width), nn.Linear(p.width, p.width)])
        self.drop = nn.Dropout(p.keep)
        self.out = nn.Linear(p.width, 1)

    def forward(self, x):
        for layer in self.layers:
            x = self.drop(torch.relu(layer(x)))
        return self.out(x).squeeze(-1)


def deviance(log_rate, count):
    rate = log_rate.exp()
    return 2 * (torch.xlogy(count, count / rate) - (count - rate)).mean()


def train(p, data, test):
    net = RateNet(p)
    opt = torch.optim.AdamW(net.parameters(), lr=p.lr, weight_decay=p.weight_decay)
    criterion = nn.PoissonNLLLoss(log_input=True)
    x, y = data
    null = deviance(y.mean().log().expand(len(test[1])), test[1]).item()
    for epoch in range(1, p.epochs + 1):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(p.batch):
            loss = criterion(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 3 == 0:
            net.eval()
            with torch.no_grad():
                dev = deviance(net(test[0]), test[1]).item()
            logging.info("epoch %2d  nll %.4f  test deviance %.4f  explained %.3f", epoch, total / len(x), dev, 1 - dev / null)


if __name__ == "__main__":
    torch.manual_seed(90)
    train(Params(), simulate(2500, 1), simulate(800, 2))
