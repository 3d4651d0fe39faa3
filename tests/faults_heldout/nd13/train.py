"""Inverse heat conduction: recover the diffusivity of a rod from noisy thermocouple readings.

u_t = a u_xx on x in [0, 1], t in [0, 1], u(0,t) = u(1,t) = 0.
"""
import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

torch.manual_seed(3)
HERE = Path(__file__).parent
ADAM_STEPS, LBFGS_ROUNDS = 900, 12
W_DATA, W_PDE = 10.0, 1.0


class Rod(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_a = nn.Parameter(torch.tensor(math.log(0.2)))
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight, 5 / 3)
                nn.init.zeros_(m.bias)

    def forward(self, x, t):
        # hard zero boundary values
        return x * (1 - x) * 4 * self.net(torch.cat([2 * x - 1, 2 * t - 1], dim=1))

    def residual(self, x, t):
        u = self(x, t)
        u_x, u_t = torch.autograd.grad(u.sum(), (x, t), create_graph=True)
        u_xx, = torch.autograd.grad(u_x.sum(), x, create_graph=True)
        return u_t - self.log_a.exp() * u_xx


raw = np.load(HERE / "rod.npz")
obs = torch.from_numpy(raw["readings"])            # columns x, t, temperature
xo, to, uo = obs[:, :1], obs[:, 1:2], obs[:, 2:]
sob = torch.quasirandom.SobolEngine(2, scramble=True, seed=1)
col = sob.draw(600)
xc, tc = (col[:, i:i + 1].clone().requires_grad_(True) for i in (0, 1))
model = Rod()


def losses():
    data = (model(xo, to) - uo).pow(2).mean()
    pde = model.residual(xc, tc).pow(2).mean()
    return data, pde


adam = torch.optim.Adam([{"params": model.net.parameters(), "lr": 3e-3}, {"params": [model.log_a], "lr": 1e-2}])
sched = torch.optim.lr_scheduler.ExponentialLR(adam, 0.1 ** (1 / ADAM_STEPS))
for step in range(ADAM_STEPS):
    data, pde = losses()
    loss = W_DATA * data + W_PDE * pde
    adam.zero_grad()
    loss.backward()
    adam.step()
    sched.step()
    if step % 100 == 0:
        print(f"adam {step:5d}  data {data.item():.3e}  pde {pde.item():.3e}  a {model.log_a.exp().item():.4f}", flush=True)

lbfgs = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=25, history_size=30, line_search_fn="strong_wolfe",
                          tolerance_grad=1e-9, tolerance_change=1e-11)


def closure():
    lbfgs.zero_grad()
    data, pde = losses()
    loss = W_DATA * data + W_PDE * pde
    loss.backward()
    return loss


for r in range(LBFGS_ROUNDS):
    loss = lbfgs.step(closure)
    print(f"lbfgs round {r:2d}  loss at start {loss.item():.3e}  a {model.log_a.exp().item():.5f}", flush=True)

with torch.no_grad():
    field = torch.from_numpy(raw["field"])          # dense reference, columns x, t, u
    err = (model(field[:, :1], field[:, 1:2]) - field[:, 2:]).pow(2).mean().sqrt() / field[:, 2:].pow(2).mean().sqrt()
    resid = (model(xo, to) - uo).std().item()
truth = json.loads((HERE / "rod.json").read_text())
print(f"diffusivity {model.log_a.exp().item():.5f} (laboratory value {truth['diffusivity']})  "
      f"relative field error {err.item():.4f}  residual std {resid:.4f} (sensor noise {truth['noise_std']})")
