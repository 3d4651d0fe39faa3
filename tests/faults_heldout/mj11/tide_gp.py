"""Gaussian process for the tide gauge; hyperparameters by marginal likelihood."""
import csv
import math
from pathlib import Path

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def gauge():
    with open(Path(__file__).with_name("tide.csv"), newline="") as f:
        rows = [(float(r["day"]), float(r["height_cm"])) for r in csv.DictReader(f)]
    return torch.tensor(rows).T


class TideGP(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_period = nn.Parameter(torch.tensor([0.52, 1.0]).log())
        self.log_amp = nn.Parameter(torch.zeros(2))
        self.log_decay = nn.Parameter(torch.tensor([5.0, 5.0]).log())
        self.log_width = nn.Parameter(torch.zeros(2))
        self.log_noise = nn.Parameter(torch.tensor(-1.5))

    def kernel(self, a, b):
        d = (a[:, None] - b[None, :]).unsqueeze(-1)
        s = torch.sin(math.pi * d / self.log_period.exp())
        k = torch.exp(2 * self.log_amp - 2 * (s / self.log_width.exp()) ** 2 - 0.5 * (d / self.log_decay.exp()) ** 2)
        return k.sum(-1)

    def chol(self, t):
        noise = torch.exp(2 * self.log_noise) + 1e-6
        return torch.linalg.cholesky(self.kernel(t, t) + noise * torch.eye(len(t)))

    def nll(self, t, y):
        L = self.chol(t)
        alpha = torch.cholesky_solve(y[:, None], L)[:, 0]
        return 0.5 * y @ alpha + L.diagonal().log().sum() + 0.5 * len(t) * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, t, y, new):
        L = self.chol(t)
        ks = self.kernel(t, new)
        mean = ks.T @ torch.cholesky_solve(y[:, None], L)[:, 0]
        v = torch.linalg.solve_triangular(L, ks, upper=False)
        var = self.kernel(new[:1], new[:1]).squeeze() - v.square().sum(0) + torch.exp(2 * self.log_noise)
        return mean, var.clamp(min=1e-9)


def main():
    torch.manual_seed(14)
    day, height = gauge()
    order = torch.randperm(len(day))
    tr, te = order[:180], order[180:]
    mu, sd = height[tr].mean(), height[tr].std()
    y = (height - mu) / sd
    gp = TideGP()
    opt = torch.optim.LBFGS(gp.parameters(), lr=1.0, max_iter=4, history_size=20, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = gp.nll(day[tr], y[tr])
        loss.backward()
        return loss

    for it in range(25):
        loss = opt.step(closure)
        mean, var = gp.predict(day[tr], y[tr], day[te])
        err = (mean - y[te]) * sd
        inside = ((mean - y[te]).abs() < 1.96 * var.sqrt()).double().mean()
        print(f"{it:3d}  -log p(y) {loss.item():9.3f}  held-out rmse {err.square().mean().sqrt().item():6.2f} cm  "
              f"95% interval covers {inside.item():.2f}")
    print({n: [round(v, 3) for v in p.detach().exp().flatten().tolist()] for n, p in gp.named_parameters()})


if __name__ == "__main__":
    main()
