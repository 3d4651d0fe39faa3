import logging
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("gesture")


@dataclass
class Settings:
    n: int = 1600
    steps: int = 30
    sensors: int = 6
    classes: int = 5
    epochs: int = 16
    batch: int = 40
    lr: float = 3e-3
    seed: int = 9


def gestures(s):
    """Wearable recordings, one row per time step: (n, steps, sensors)."""
    g = np.random.default_rng(s.seed)
    y = g.integers(0, s.classes, s.n)
    t = np.linspace(0, 1, s.steps)
    x = g.normal(0, 0.4, (s.n, s.steps, s.sensors))
    freq = g.uniform(0.5, 3, (s.classes, s.sensors))
    for i, k in enumerate(y):
        x[i] += np.sin(2 * np.pi * (freq[k] * t[:, None] + 0.5 * g.random()))
        x[i] += g.normal(0, 1, s.sensors)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


class GestureNet(nn.Module):
    def __init__(self, s, hidden=48):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(s.sensors, 24), nn.Tanh())
        self.rnn = nn.GRU(24, hidden, num_layers=1)
        self.head = nn.Linear(2 * hidden, s.classes)

    def forward(self, x):
        out, _ = self.rnn(self.inp(x))
        return self.head(torch.cat([out[:, -1], out.mean(1)], dim=1))


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(-1) == y).float().mean().item()


def main(s=Settings()):
    torch.manual_seed(s.seed)
    x, y = gestures(s)
    xt, yt, xv, yv = x[:1200], y[:1200], x[1200:], y[1200:]
    model = GestureNet(s)
    opt = torch.optim.Adam(model.parameters(), lr=s.lr)
    for epoch in range(s.epochs):
        model.train()
        tot = 0.0
        for idx in torch.randperm(len(xt)).split(s.batch):
            loss = nn.functional.cross_entropy(model(xt[idx]), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        log.info("epoch %d: loss %.4f, val accuracy %.3f", epoch, tot / len(xt), accuracy(model, xv, yv))


if __name__ == "__main__":
    main()
