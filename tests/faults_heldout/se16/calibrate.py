"""Pump head curve from bench measurements, fitted full-batch with L-BFGS (double precision)."""
from pathlib import Path

import numpy as np
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
RIDGE = 2e-5


class PumpCurve(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.f(x)[:, 0]


def standardise(train, *others):
    m, s = train.mean(0), train.std(0)
    return [(a - m) / s for a in (train, *others)], (m, s)


def main():
    torch.manual_seed(4)
    bench = np.load(Path(__file__).parent / "pump_bench.npz")
    x = torch.from_numpy(np.stack([bench["flow"], bench["speed"], bench["viscosity"]], axis=1))
    y = torch.from_numpy(bench["head"])
    perm = torch.randperm(len(y))
    tr, va, te = perm[:600], perm[600:750], perm[750:]
    (xt, xv, xe), _ = standardise(x[tr], x[va], x[te])
    (yt, yv, ye), (_, y_std) = standardise(y[tr], y[va], y[te])

    model = PumpCurve()
    optimizer = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=5, history_size=20, line_search_fn="strong_wolfe")
    calls = 0

    def closure():
        nonlocal calls
        calls += 1
        optimizer.zero_grad()
        loss = (model(xt) - yt).pow(2).mean() + RIDGE * sum(p.pow(2).sum() for p in model.parameters())
        loss.backward()
        return loss

    for outer in range(1, 61):
        loss = optimizer.step(closure)
        if outer % 6 == 0 or outer == 1:
            with torch.no_grad():
                rt = (model(xt) - yt).pow(2).mean().sqrt() * y_std
                rv = (model(xv) - yv).pow(2).mean().sqrt() * y_std
            print(f"outer {outer:3d} ({calls:4d} evaluations)  objective {loss.item():.6f}  "
                  f"train RMSE {rt:.3f} m  val RMSE {rv:.3f} m")

    with torch.no_grad():
        print(f"test RMSE {(model(xe) - ye).pow(2).mean().sqrt() * y_std:.3f} m, head std {y_std:.2f} m")


if __name__ == "__main__":
    main()
