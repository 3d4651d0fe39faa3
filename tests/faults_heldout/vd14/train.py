"""Gaussian-process model of a tide gauge: smooth trend + quasi-periodic part, fitted by marginal likelihood."""
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class TideGP(nn.Module):
    def __init__(self, period=1.1):
        super().__init__()
        init = {"trend_amp": 1.0, "trend_len": 1.0, "per_amp": 1.0, "per_len": 1.0, "per_decay": 5.0,
                "period": period, "noise": 0.3}
        self.log = nn.ParameterDict({k: nn.Parameter(torch.tensor(math.log(v))) for k, v in init.items()})
        self.mean = nn.Parameter(torch.tensor(0.0))

    def hyper(self, name):
        return self.log[name].exp()

    def kernel(self, a, b):
        d = a[:, None] - b[None, :]
        trend = self.hyper("trend_amp") ** 2 * torch.exp(-0.5 * (d / self.hyper("trend_len")) ** 2)
        s = torch.sin(math.pi * d / self.hyper("period"))
        per = self.hyper("per_amp") ** 2 * torch.exp(-2 * (s / self.hyper("per_len")) ** 2
                                                     - 0.5 * (d / self.hyper("per_decay")) ** 2)
        return trend + per

    def chol(self, x):
        k = self.kernel(x, x)
        return torch.linalg.cholesky(k + (self.hyper("noise") ** 2 + 1e-8) * torch.eye(len(x)))

    def nll(self, x, y):
        c = self.chol(x)
        r = (y - self.mean)[:, None]
        alpha = torch.cholesky_solve(r, c)
        n = len(x)
        return (0.5 * (r * alpha).sum() + c.diagonal().log().sum() + 0.5 * n * math.log(2 * math.pi)) / n

    @torch.no_grad()
    def predict(self, x, y, xs):
        c = self.chol(x)
        ks = self.kernel(x, xs)
        mu = self.mean + ks.T @ torch.cholesky_solve((y - self.mean)[:, None], c).squeeze(1)
        v = torch.linalg.solve_triangular(c, ks, upper=False)
        var = self.kernel(xs[:1], xs[:1]).squeeze() - (v ** 2).sum(0) + self.hyper("noise") ** 2
        return mu, var


def fit(model, x, y, rounds):
    opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=10, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = model.nll(x, y)
        loss.backward()
        return loss

    for r in range(rounds):
        before = opt.step(closure)
        if r % 3 == 0:
            print(f"  round {r:2d} nll/point {before.item():+.4f}")
    return model.nll(x, y).item()


def main():
    table = np.loadtxt(Path(__file__).parent / "tide.csv", delimiter=",", skiprows=1)
    t = torch.from_numpy(table[:, 0])
    level = torch.from_numpy(table[:, 1])
    level = level - level.mean()
    perm = np.random.default_rng(0).permutation(len(t))
    te, tr = torch.from_numpy(perm[:60]), torch.from_numpy(perm[60:])

    runs = []
    for start in (0.7, 0.9, 1.1):
        print(f"start with period {start}")
        model = TideGP(start)
        runs.append((fit(model, t[tr], level[tr], 15), model))
    best, model = min(runs, key=lambda p: p[0])
    mu, var = model.predict(t[tr], level[tr], t[te])
    err = level[te] - mu
    held_nll = (0.5 * err ** 2 / var + 0.5 * torch.log(2 * math.pi * var)).mean().item()
    print(f"best nll/point {best:+.4f}; held-out rmse {err.pow(2).mean().sqrt().item():.4f} "
          f"nll {held_nll:+.4f} 95% coverage {(err.abs() < 1.96 * var.sqrt()).double().mean().item():.3f}")
    print({k: round(v.exp().item(), 3) for k, v in model.log.items()})


if __name__ == "__main__":
    main()
