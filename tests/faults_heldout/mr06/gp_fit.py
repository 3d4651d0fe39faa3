# Gaussian process regression of a river gauge, hyperparameters by L-BFGS
import math

import numpy as np
import torch

SEED = 4
rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)
torch.set_default_dtype(torch.float64)

day = np.sort(rng.uniform(0, 730, 420))
level = (1.2 + 0.35 * np.sin(2 * math.pi * day / 365.25 - 0.7) + 0.12 * np.sin(2 * math.pi * day / 31.0)
         + 0.0002 * day + rng.normal(0, 0.02, len(day)))
t = torch.tensor(day / 100.0)
y = torch.tensor(level - level.mean())
test = torch.zeros(len(t), dtype=torch.bool)
test[torch.randperm(len(t))[:100]] = True
t_train, y_train, t_test, y_test = t[~test], y[~test], t[test], y[test]


class GaugeGP(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_amp = torch.nn.Parameter(torch.tensor([0.0, -2.0]))
        self.log_len = torch.nn.Parameter(torch.tensor([0.0, -2.3]))
        self.log_noise = torch.nn.Parameter(torch.tensor(-1.0))

    def kernel(self, a, b):
        d2 = (a[:, None] - b[None, :]) ** 2
        amp, length = self.log_amp.exp() ** 2, self.log_len.exp()
        return sum(amp[i] * torch.exp(-0.5 * d2 / length[i] ** 2) for i in range(2))

    def factor(self, a):
        k = self.kernel(a, a)
        return torch.linalg.cholesky(k + (self.log_noise.exp() ** 2 + 1e-6) * torch.eye(len(a)))

    def neg_log_marginal(self, a, target):
        chol = self.factor(a)
        alpha = torch.cholesky_solve(target[:, None], chol)[:, 0]
        return 0.5 * target @ alpha + chol.diagonal().log().sum() + 0.5 * len(a) * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, a, target, new):
        chol = self.factor(a)
        ks = self.kernel(new, a)
        mean = ks @ torch.cholesky_solve(target[:, None], chol)[:, 0]
        v = torch.linalg.solve_triangular(chol, ks.T, upper=False)
        var = self.kernel(new, new).diagonal() - (v ** 2).sum(0) + self.log_noise.exp() ** 2
        return mean, var.sqrt()


gp = GaugeGP()
optimizer = torch.optim.LBFGS(gp.parameters(), lr=1.0, max_iter=5, history_size=10, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    objective = gp.neg_log_marginal(t_train, y_train)
    objective.backward()
    return objective


for step in range(1, 7):
    value = optimizer.step(closure)
    mean, sd = gp.predict(t_train, y_train, t_test)
    rmse = (mean - y_test).pow(2).mean().sqrt().item()
    inside = ((mean - y_test).abs() < 1.96 * sd).double().mean().item()
    print(f"step {step:2d}  nll {value.item():9.3f}  test rmse {rmse:.4f} m  inside 95% band {inside:.2f}")

print("length scales (days):", [round(100 * v, 1) for v in gp.log_len.exp().tolist()],
      " noise (m):", round(gp.log_noise.exp().item(), 4))
