"""Damped driven oscillator as a physics-informed network: m x'' + c x' + k x = F cos(w t), x(0) = x0, x'(0) = v0."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
from scipy.integrate import solve_ivp


@dataclass
class Problem:
    mass: float = 2.0
    damping: float = 1.2
    stiffness: float = 32.0
    force: float = 10.0
    omega: float = 2.0
    x0: float = 1.0
    v0: float = 0.0
    t_end: float = 4.0


@dataclass
class Training:
    steps: int = 3000
    points: int = 200
    lr: float = 4e-3
    width: int = 48
    residual_weight: float = 1.0
    start_weight: float = 1.0
    seed: int = 4


class Solution(nn.Module):
    def __init__(self, width, t_end):
        super().__init__()
        self.t_end = t_end
        self.freq = nn.Parameter(torch.linspace(0.5, 8, width).unsqueeze(0))
        self.phase = nn.Parameter(torch.rand(1, width) * 2 * math.pi)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, t):
        h = torch.sin(self.freq * t + self.phase)
        return self.out(torch.tanh(self.mid(h)))


def derivative(y, t):
    return torch.autograd.grad(y, t, torch.ones_like(y), create_graph=True)[0]


def residual_loss(net, t, p):
    x = net(t)
    dx = derivative(x, t)
    ddx = derivative(dx, t)
    r = p.mass * ddx + p.damping * dx + p.stiffness * x - p.force * torch.cos(p.omega * t)
    return (r ** 2).sum()


def start_loss(net, p):
    t = torch.zeros(1, 1, requires_grad=True)
    x = net(t)
    return (x - p.x0).pow(2).mean() + (derivative(x, t) - p.v0).pow(2).mean()


def reference(p, t):
    def rhs(s, y):
        return [y[1], (p.force * math.cos(p.omega * s) - p.damping * y[1] - p.stiffness * y[0]) / p.mass]

    sol = solve_ivp(rhs, (0, p.t_end), [p.x0, p.v0], t_eval=t.flatten().tolist(), rtol=1e-9, atol=1e-9)
    return torch.tensor(sol.y[0], dtype=torch.float32).unsqueeze(1)


def main():
    p, cfg = Problem(), Training()
    torch.manual_seed(cfg.seed)
    net = Solution(cfg.width, p.t_end)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.steps, eta_min=1e-4)
    grid = torch.linspace(0, p.t_end, 201).unsqueeze(1)
    truth = reference(p, grid)
    for step in range(1, cfg.steps + 1):
        t = (torch.rand(cfg.points, 1) * p.t_end).requires_grad_(True)
        res, start = residual_loss(net, t, p), start_loss(net, p)
        loss = cfg.residual_weight * res + cfg.start_weight * start
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 300 == 0:
            with torch.no_grad():
                err = (net(grid) - truth).norm() / truth.norm()
            print(f"step {step:5d} residual {res.item():.3e} start {start.item():.3e} relative error {err.item():.4f}")


if __name__ == "__main__":
    main()
