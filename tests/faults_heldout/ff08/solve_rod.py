"""Steady-state profile of a heated rod:  u'' - k u = source(x),  u given at both ends."""
import json
import math
import pathlib

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
here = pathlib.Path(__file__).parent
prob = json.loads((here / "problem.json").read_text())
raw = np.load(here / "rod.npz")

x_col = torch.tensor(raw["x"], dtype=torch.float32).unsqueeze(1).requires_grad_()
source = torch.tensor(raw["source"], dtype=torch.float32)
u_ref = torch.tensor(raw["u_reference"], dtype=torch.float32)
bc = torch.tensor(prob["bc"], dtype=torch.float32)
k = prob["k"]


class Field(nn.Module):
    def __init__(self, width=40, n_freq=6):
        super().__init__()
        self.register_buffer("w", math.pi * torch.arange(1, n_freq + 1).float())
        self.net = nn.Sequential(nn.Linear(2 * n_freq + 1, width), nn.Tanh(),
                                 nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        a = x * self.w
        return self.net(torch.cat([x, a.sin(), a.cos()], 1))


def d_dx(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(field, x):
    u = field(x)
    u_xx = d_dx(d_dx(u, x), x)
    return (u_xx - k * u - source) / source.std()


def boundary(field):
    return field(bc[:, :1]) - bc[:, 1:]


field = Field()
opt = torch.optim.Adam(field.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9985)

for it in range(1, 1001):
    opt.zero_grad()
    pde = residual(field, x_col).pow(2).mean()
    edge = boundary(field).pow(2).mean()
    loss = pde + 5.0 * edge
    loss.backward()
    opt.step()
    sched.step()
    if it == 1 or it % 200 == 0:
        with torch.no_grad():
            err = field(x_col).squeeze(1) - u_ref
        rel = (err.norm() / u_ref.norm()).item()
        print(f"it {it:5d}  pde {pde.item():.3e}  edge {edge.item():.3e}  rel. error vs reference {rel:.4f}")
