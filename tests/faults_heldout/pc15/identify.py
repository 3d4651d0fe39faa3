"""Identify damping and stiffness of a nonlinear oscillator  u'' + c u' + k u + a u^3 = 0  from 60 noisy readings."""
from pathlib import Path

import numpy as np
import torch
from torch import nn

torch.manual_seed(4)
torch.set_default_dtype(torch.float64)
T_END = 6.0
SIGMA = 0.03  # sensor specification, cm


class Displacement(nn.Module):
    def __init__(self, h=40):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))

    def forward(self, t):
        return 2.0 * self.net(2 * t / T_END * 3 - 3)


class Physics(nn.Module):
    def __init__(self):
        super().__init__()
        self.coef = nn.ParameterDict({n: nn.Parameter(torch.tensor(v)) for n, v in
                                      [("c", 0.5), ("k", 2.0), ("a", 0.3)]})

    def residual(self, model, t):
        t = t.clone().requires_grad_(True)
        u = model(t)
        (v,) = torch.autograd.grad(u.sum(), t, create_graph=True)
        (w,) = torch.autograd.grad(v.sum(), t, create_graph=True)
        q = self.coef
        return w + q["c"] * v + q["k"] * u + q["a"] * u ** 3


table = np.loadtxt(Path(__file__).parent / "measured.csv", delimiter=",", skiprows=1)
t_obs = torch.tensor(table[:, :1])
u_obs = torch.tensor(table[:, 1:])
check = torch.zeros(len(table), dtype=torch.bool)
check[4::6] = True

model, physics = Displacement(), Physics()
params = [*model.parameters(), *physics.parameters()]
grid = torch.linspace(0, T_END, 121)[:, None]


def losses(t_col, w_phys):
    data = ((model(t_obs[~check]) - u_obs[~check]) / SIGMA).square().mean()
    phys = physics.residual(model, t_col).square().mean()
    return data + w_phys * phys, data, phys


def report(tag):
    with torch.no_grad():
        rms = (model(t_obs[check]) - u_obs[check]).square().mean().sqrt().item()
    _, data, phys = losses(grid, 1.0)
    vals = "  ".join(f"{n} {v.item():.3f}" for n, v in physics.coef.items())
    print(f"{tag:12s} data chi2 {data.item():9.3f}  residual {phys.item():.2e}  check rms {rms:.4f} cm   {vals}")


report("start")
opt = torch.optim.Adam([{"params": model.parameters(), "lr": 5e-3}, {"params": physics.parameters(), "lr": 1e-2}])
decay = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 2000, eta_min=1e-4)
for it in range(1, 2001):
    w = 10.0 * min(1.0, it / 1000)
    t_col = torch.rand(100, 1) * T_END
    loss, _, _ = losses(t_col, w)
    opt.zero_grad()
    loss.backward()
    opt.step()
    decay.step()
    if it % 400 == 0:
        report(f"adam {it}")

lbfgs = torch.optim.LBFGS(params, lr=1.0, max_iter=20, history_size=50, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss, _, _ = losses(grid, 10.0)
    loss.backward()
    return loss


for k in range(1, 51):
    lbfgs.step(closure)
    if k % 10 == 0:
        report(f"lbfgs {k}")
