"""Physics-informed net for the damped oscillator u'' + 2*d*u' + w^2*u = 0, u(0)=1, u'(0)=0. Adam, then L-BFGS."""
import math

import torch
from torch import nn

torch.manual_seed(2)
torch.set_default_dtype(torch.float64)
D, W = 0.4, 4.0
T_END = 3.0


def exact(t):
    om = math.sqrt(W * W - D * D)
    return torch.exp(-D * t) * (torch.cos(om * t) + D / om * torch.sin(om * t))


net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))


def u(t):
    return net(2 * t / T_END - 1)


def residuals(t):
    t = t.clone().requires_grad_(True)
    y = u(t)
    dy, = torch.autograd.grad(y.sum(), t, create_graph=True)
    ddy, = torch.autograd.grad(dy.sum(), t, create_graph=True)
    return ddy + 2 * D * dy + W * W * y, y, dy


collocation = torch.linspace(0, T_END, 120)[:, None]
start = torch.zeros(1, 1)


def objective():
    r, _, _ = residuals(collocation)
    _, y0, v0 = residuals(start)
    ode = (r ** 2).mean()
    ic = (y0 - 1).pow(2).sum() + v0.pow(2).sum()
    return ode / W ** 2 + 20.0 * ic, ode, ic


grid = torch.linspace(0.007, T_END - 0.004, 333)[:, None]   # off the collocation points


def report(tag):
    with torch.no_grad():
        err = (u(grid) - exact(grid)).norm() / exact(grid).norm()
    print(f"{tag:>12s} loss {objective()[0].item():.3e} relative L2 error {err.item():.4f}")


adam = torch.optim.Adam(net.parameters(), lr=3e-3)
for it in range(400):
    adam.zero_grad()
    loss, ode, ic = objective()
    loss.backward()
    adam.step()
    if it % 100 == 0:
        report(f"adam {it}")
report("adam end")

lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=30, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss, _, _ = objective()
    loss.backward()
    return loss


for outer in range(60):
    lbfgs.step(closure)
    if outer % 10 == 9:
        report(f"lbfgs {outer + 1}")
