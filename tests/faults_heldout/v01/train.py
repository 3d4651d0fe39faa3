"""Physics-informed network for a damped oscillator  u'' + 2*zeta*w*u' + w^2*u = 0."""
import math

import torch
from torch import nn

ZETA, OMEGA, T_END = 0.1, 2.0, 4.0


class Field(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        return self.net(2.0 * t / T_END - 1.0)


def d_dt(y, t):
    return torch.autograd.grad(y, t, torch.ones_like(y), create_graph=True)[0]


def residual(model, t):
    u = model(t)
    du = d_dt(u, t)
    ddu = d_dt(du, t)
    return ddu + 2 * ZETA * OMEGA * du + OMEGA ** 2 * u


def initial_conditions(model):
    t0 = torch.zeros(1, 1, requires_grad=True)
    u0 = model(t0)
    return (u0 - 1.0).pow(2).mean(), d_dt(u0, t0).pow(2).mean()


def exact(t):
    wd = OMEGA * math.sqrt(1 - ZETA ** 2)
    return torch.exp(-ZETA * OMEGA * t) * (torch.cos(wd * t) + ZETA * OMEGA / wd * torch.sin(wd * t))


def main():
    torch.manual_seed(3)
    model = Field()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    steps = 2500
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=steps)
    for step in range(steps):
        t = (torch.rand(96, 1) * T_END).requires_grad_(True)
        pde = residual(model, t).pow(2).mean()
        ic_pos, ic_vel = initial_conditions(model)
        loss = pde + 20.0 * ic_pos + 5.0 * ic_vel
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 250 == 0:
            print(f"{step:5d} loss {loss.item():.5f} pde {pde.item():.5f} ic {ic_pos.item():.2e}/{ic_vel.item():.2e}")
    with torch.no_grad():
        grid = torch.linspace(0, T_END, 201).unsqueeze(1)
        err = (model(grid) - exact(grid)).norm() / exact(grid).norm()
    print(f"relative L2 error {err.item():.4f}")


if __name__ == "__main__":
    main()
