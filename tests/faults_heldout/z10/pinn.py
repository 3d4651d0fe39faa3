"""Physics-informed network for the damped oscillator u'' + 2 g u' + w^2 u = 0, u(0)=1, u'(0)=0."""
import math

import torch
from torch import nn

GAMMA, OMEGA, T_END = 0.3, 3.0, 2.0


def exact(t):
    wd = math.sqrt(OMEGA ** 2 - GAMMA ** 2)
    return torch.exp(-GAMMA * t) * (torch.cos(wd * t) + GAMMA / wd * torch.sin(wd * t))


class Field(nn.Module):
    """Tanh network t -> u(t)."""

    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [1] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(width, 1)
        self.reset_parameters()

    def reset_parameters(self):
        for layer in [*self.hidden, self.out]:
            fan_out, fan_in = layer.weight.shape
            nn.init.normal_(layer.weight, 0.0, math.sqrt((fan_in + fan_out) / 2))
            nn.init.zeros_(layer.bias)

    def forward(self, t):
        h = 2.0 * t / T_END - 1.0
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)


def derivative(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


def losses(net, n):
    t = (torch.rand(n, 1) * T_END).requires_grad_()
    u = net(t)
    du = derivative(u, t)
    ddu = derivative(du, t)
    residual = (ddu + 2 * GAMMA * du + OMEGA ** 2 * u) / OMEGA ** 2
    t0 = torch.zeros(1, 1, requires_grad=True)
    u0 = net(t0)
    du0 = derivative(u0, t0) / OMEGA
    return residual.pow(2).mean(), (u0 - 1).pow(2).mean() + du0.pow(2).mean()


torch.manual_seed(10)
net = Field()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 2500)
grid = torch.linspace(0, T_END, 200)[:, None]
for step in range(1, 2501):
    physics, initial = losses(net, 64)
    loss = physics + 5.0 * initial
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    if step % 250 == 0:
        with torch.no_grad():
            err = (net(grid) - exact(grid)).pow(2).mean().sqrt().item()
        print(f"step {step:5d}  physics {physics.item():.3e}  initial {initial.item():.3e}  rmse vs exact {err:.4f}")
