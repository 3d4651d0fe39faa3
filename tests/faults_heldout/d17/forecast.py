"""Direct multi-step forecast of solar farm output with window-wise normalisation."""
import math

import torch
from torch import nn

STEP_PER_DAY = 24
WINDOW, HORIZON = 12, 4


def farm(days, seed, service=()):
    """Hourly output: clouds on a daily arc, nothing at night; on service days the farm is switched off at 17:00."""
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(days * STEP_PER_DAY)
    arc = torch.sin((t % STEP_PER_DAY - 5) / 14 * math.pi)
    arc = torch.where((t % STEP_PER_DAY > 5) & (t % STEP_PER_DAY < 19), arc, torch.zeros(()))
    day = 0.5 + 0.5 * torch.rand(days, generator=g).repeat_interleave(STEP_PER_DAY)
    out = 40 * arc * day * (1 + 0.08 * torch.randn(len(t), generator=g))
    for d in service:
        out[d * STEP_PER_DAY + 17:(d + 1) * STEP_PER_DAY] = 0.0
    return out


def windows(series):
    u = series.unfold(0, WINDOW + HORIZON, 1)
    return u[:, :WINDOW], u[:, WINDOW:]


class WindowNorm(nn.Module):
    """Removes level and spread of each window and puts them back on the forecast."""

    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(()))
        self.shift = nn.Parameter(torch.zeros(()))

    def encode(self, x):
        self.level = x.mean(1, keepdim=True)
        self.spread = x.std(1, keepdim=True)
        return (x - self.level) / self.spread * self.gain + self.shift

    def decode(self, y):
        return (y - self.shift) / self.gain * self.spread + self.level


class Forecaster(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.norm = WindowNorm()
        self.net = nn.Sequential(nn.Linear(WINDOW + 2, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, HORIZON))

    def forward(self, x, clock):
        z = self.norm.encode(x)
        return self.norm.decode(self.net(torch.cat([z, clock], 1)))


def clock_of(n):
    a = 2 * math.pi * (torch.arange(n) % STEP_PER_DAY) / STEP_PER_DAY
    return torch.stack([a.sin(), a.cos()], 1)


def main():
    torch.manual_seed(17)
    x, y = windows(farm(200, 1, service=(118,)))
    xv, yv = windows(farm(40, 2))
    c, cv = clock_of(len(x)), clock_of(len(xv))
    model = Forecaster()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(1, 13):
        run = []
        for b in torch.randperm(len(x)).split(64):
            loss = nn.functional.l1_loss(model(x[b], c[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            run.append(loss.item())
        with torch.no_grad():
            mae = nn.functional.l1_loss(model(xv, cv), yv).item()
        print("epoch", epoch, "train MAE %.3f" % (sum(run) / len(run)), "valid MAE %.3f" % mae)


if __name__ == "__main__":
    main()
