"""One-step-ahead forecasting of a noisy multi-sine signal with a leaky rate network."""
import math

import numpy as np
import torch
from torch import nn


def series(n=6000, seed=31):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    x = np.sin(2 * math.pi * t / 37) + 0.6 * np.sin(2 * math.pi * t / 90 + 1) + 0.3 * np.sin(2 * math.pi * t / 11)
    return (x + 0.05 * rng.normal(size=n)).astype("float32")


def windows(x, length):
    w = np.lib.stride_tricks.sliding_window_view(x, length + 1)[::7]
    w = torch.from_numpy(w.copy())
    return w[:, :-1, None], w[:, -1:]


class LeakyCell(nn.Module):
    """Firing-rate unit: relaxes towards the rectified drive with time constant dt/alpha."""

    def __init__(self, d_in, hidden, alpha=0.4):
        super().__init__()
        self.inp = nn.Linear(d_in, hidden)
        self.rec = nn.Linear(hidden, hidden, bias=False)
        nn.init.orthogonal_(self.rec.weight, gain=0.9)
        self.alpha = alpha

    def forward(self, x, h):
        drive = torch.relu(self.inp(x) + self.rec(h))
        return h + self.alpha * drive


class RateForecaster(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.hidden = hidden
        self.cell = LeakyCell(1, hidden)
        self.read = nn.Linear(hidden, 1)

    def forward(self, x):
        h = x.new_zeros(len(x), self.hidden)
        for t in range(x.shape[1]):
            h = self.cell(x[:, t], h)
        return self.read(h)


def main(length=72, epochs=10, batch=32):
    torch.manual_seed(7)
    x = series()
    x = (x - x[:4500].mean()) / x[:4500].std()
    xt, yt = windows(x[:4500], length)
    xv, yv = windows(x[4500:], length)
    model = RateForecaster()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        total = 0.0
        for i in torch.randperm(len(xt)).split(batch):
            loss = (model(xt[i]) - yt[i]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(i)
        with torch.no_grad():
            val = (model(xv) - yv).pow(2).mean().item()
            naive = (xv[:, -1] - yv).pow(2).mean().item()
        print(f"epoch {epoch:2d}  train mse {total / len(xt):.5g}  val mse {val:.5g}  (persistence {naive:.4f})")


if __name__ == "__main__":
    main()
