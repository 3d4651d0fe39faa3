"""Gaussian process for a seasonal series: hyper-parameters by marginal likelihood with L-BFGS."""
import math

import numpy as np
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
rng = np.random.default_rng(9)

t = np.arange(0, 15, 1 / 12)
signal = 0.9 * t + 0.06 * t**2 + 2.2 * np.sin(2 * np.pi * t) + 0.6 * np.sin(4 * np.pi * t + 1.0)
obs = signal + rng.normal(0, 0.35, len(t))
n_train = 12 * 13
x, y = torch.tensor(t[:n_train]), torch.tensor(obs[:n_train])
x_new, y_new = torch.tensor(t[n_train:]), torch.tensor(obs[n_train:])
y_mean, y_std = y.mean(), y.std()
z = (y - y_mean) / y_std


class SeasonalGP(nn.Module):
    def __init__(self):
        super().__init__()
        p = lambda v: nn.Parameter(torch.tensor(math.log(v)))
        self.log_trend_scale, self.log_trend_len = p(1.0), p(10.0)
        self.log_season_scale, self.log_season_len, self.log_decay = p(0.3), p(1.0), p(20.0)
        self.log_noise = p(0.2)

    def kernel(self, a, b):
        d = a[:, None] - b[None, :]
        trend = torch.exp(2 * self.log_trend_scale - 0.5 * (d / self.log_trend_len.exp()) ** 2)
        wave = torch.sin(math.pi * d) / self.log_season_len.exp()
        season = torch.exp(2 * self.log_season_scale - 2 * wave**2 - 0.5 * (d / self.log_decay.exp()) ** 2)
        return trend + season

    def cholesky(self, a):
        noise = torch.exp(2 * self.log_noise) + 1e-6
        return torch.linalg.cholesky(self.kernel(a, a) + noise * torch.eye(len(a)))

    def forward(self, a, target):
        chol = self.cholesky(a)
        alpha = torch.cholesky_solve(target[:, None], chol)[:, 0]
        return 0.5 * target @ alpha + chol.diagonal().log().sum() + 0.5 * len(a) * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, a, target, new):
        chol = self.cholesky(a)
        return self.kernel(new, a) @ torch.cholesky_solve(target[:, None], chol)[:, 0]


gp = SeasonalGP()
optimizer = torch.optim.LBFGS(gp.parameters(), lr=1.0, max_iter=5, history_size=10, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = gp(x, z)
    loss.backward()
    return loss


for it in range(1, 21):
    loss = optimizer.step(closure)
    if it % 2 == 0 or it == 1:
        pred = gp.predict(x, z, x_new) * y_std + y_mean
        rmse = (pred - y_new).pow(2).mean().sqrt().item()
        noise = (gp.log_noise.exp() * y_std).item()
        print(f"iter {it:2d}  neg. log marginal likelihood {loss.item():9.3f}  noise {noise:.3f}  forecast rmse {rmse:.3f}")
