"""Physics-informed net for a damped oscillator  u'' + 2 z w u' + w^2 u = 0,  u(0)=1, u'(0)=0."""
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Setup:
    omega: float = 3.0
    zeta: float = 0.15
    t_end: float = 2.0
    n_points: int = 64
    steps: int = 2000
    lr: float = 3e-3
    w_init: float = 3.0


class Net(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [1] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(i, o) for i, o in zip(dims, dims[1:]))
        self.out = nn.Linear(width, 1)

    def forward(self, t):
        h = t
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)


def derivative(u, t, order=1):
    """n-th derivative of u with respect to t, taken point by point."""
    for k in range(order):
        u, = torch.autograd.grad(u.sum(), t, create_graph=k < order - 1, retain_graph=True)
    return u


def exact(t, s):
    wd = s.omega * math.sqrt(1 - s.zeta**2)
    return torch.exp(-s.zeta * s.omega * t) * (torch.cos(wd * t) + s.zeta * s.omega / wd * torch.sin(wd * t))


def train(s: Setup):
    torch.manual_seed(0)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=s.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s.steps, eta_min=1e-5)
    grid = torch.linspace(0, s.t_end, 300).unsqueeze(1)
    for step in range(s.steps):
        t = (torch.rand(s.n_points, 1) * s.t_end).requires_grad_()
        u = net(t)
        res = derivative(u, t, 2) + 2 * s.zeta * s.omega * derivative(u, t) + s.omega**2 * u
        physics = (res / s.omega**2).pow(2).mean()

        t0 = torch.zeros(1, 1, requires_grad=True)
        u0 = net(t0)
        start = (u0 - 1).pow(2).mean() + derivative(u0, t0).pow(2).mean() / s.omega**2

        loss = physics + s.w_init * start
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 250 == 0 or step == s.steps - 1:
            with torch.no_grad():
                rel = (net(grid) - exact(grid, s)).norm() / exact(grid, s).norm()
            print(f"{step:5d} physics {physics.item():.3e} start {start.item():.3e} rel.err {rel.item():.4f}")
    return net


if __name__ == "__main__":
    train(Setup())
