"""Damped oscillator  m x'' + c x' + k x = 0  with x(0)=x0, x'(0)=v0."""
import math
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Oscillator:
    mass: float
    damping: float
    stiffness: float
    x0: float
    v0: float
    horizon: float

    def exact(self, t):
        delta = self.damping / (2 * self.mass)
        omega0 = math.sqrt(self.stiffness / self.mass)
        omega = math.sqrt(omega0 ** 2 - delta ** 2)
        b = (self.v0 + delta * self.x0) / omega
        return torch.exp(-delta * t) * (self.x0 * torch.cos(omega * t) + b * torch.sin(omega * t))

    def residual(self, net, t):
        t = t.detach().requires_grad_(True)
        x = net(t)
        dx = torch.autograd.grad(x, t, torch.ones_like(x), create_graph=True)[0]
        ddx = torch.autograd.grad(dx, t, torch.ones_like(dx), create_graph=True)[0]
        return self.mass * ddx + self.damping * dx + self.stiffness * x

    def initial(self, net):
        t = torch.zeros(1, 1, requires_grad=True)
        x = net(t)
        dx = torch.autograd.grad(x, t, torch.ones_like(x), create_graph=True)[0]
        return x - self.x0, dx - self.v0
