"""Solves u_t = a u_xx + s(x) on [0,1] with u(0)=u(1)=0 by fitting a network to the equation itself."""
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(2)
A = 0.15


class Field(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x, t):
        core = self.net(torch.cat([2 * x - 1, 2 * t - 1], 1))
        return x * (1 - x) * core            # boundary values hold by construction


def start(x):
    return torch.sin(math.pi * x) + 0.4 * torch.sin(3 * math.pi * x)


def source(x):
    return torch.sin(2 * math.pi * x)


def exact(x, t):
    """Series solution, kept for checking only."""
    lam = [A * (k * math.pi) ** 2 for k in (1, 2, 3)]
    return (torch.exp(-lam[0] * t) * torch.sin(math.pi * x)
            + (1 - torch.exp(-lam[1] * t)) / lam[1] * torch.sin(2 * math.pi * x)
            + 0.4 * torch.exp(-lam[2] * t) * torch.sin(3 * math.pi * x))


def residual(u, x, t):
    x = x.clone().requires_grad_(True)
    t = t.clone().requires_grad_(True)
    v = u(x, t)
    ux, ut = torch.autograd.grad(v.sum(), (x, t), create_graph=True)
    uxx, = torch.autograd.grad(ux.sum(), x, create_graph=True)
    return ut - A * uxx - source(x)


sob = torch.quasirandom.SobolEngine(2, scramble=True, seed=5)
points = sob.draw(400, dtype=torch.float64)
x_in, t_in = points[:, :1], points[:, 1:]
x_0 = torch.linspace(0, 1, 80)[:, None]
t_0 = torch.zeros_like(x_0)
u_0 = start(x_0)

field = Field()


def objective():
    pde = residual(field, x_in, t_in).square().mean()
    ini = (field(x_0, t_0) - u_0).square().mean()
    return pde + 50.0 * ini, pde, ini


def check(n=61):
    g = torch.linspace(0, 1, n)
    x, t = (m.reshape(-1, 1) for m in torch.meshgrid(g, g, indexing="ij"))
    with torch.no_grad():
        err = field(x, t) - exact(x, t)
        return (err.norm() / exact(x, t).norm()).item()


adam = torch.optim.Adam(field.parameters(), lr=15e-3)
for step in range(1, 401):
    adam.zero_grad()
    loss, pde, ini = objective()
    loss.backward()
    adam.step()
    if step % 100 == 0:
        print(f"adam {step:4d}  total {loss.item():.3e}  equation {pde.item():.3e}  start {ini.item():.3e}  rel err {check():.4f}")

lbfgs = torch.optim.LBFGS(field.parameters(), lr=1.0, max_iter=30, history_size=40, line_search_fn="strong_wolfe",
                          tolerance_change=1e-12, tolerance_grad=1e-9)
for rnd in range(1, 13):
    def closure():
        lbfgs.zero_grad()
        value = objective()[0]
        value.backward()
        return value

    loss = lbfgs.step(closure)
    print(f"lbfgs {rnd:3d}  total {loss.item():.3e}  rel err {check():.5f}")
print(f"relative L2 error against the series solution: {check():.5f}")
