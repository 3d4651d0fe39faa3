"""Inverse PINN for a damped spring: fit displacement readings and recover
damping and frequency of  u'' + 2 d u' + w^2 u = 0  at the same time.

Stage 1 runs Adam, stage 2 polishes with L-BFGS.
"""
import csv

import torch
from torch import nn

torch.manual_seed(21)

rows = list(csv.DictReader(open("readings.csv")))


def table(which):
    sel = [(float(r["time"]), float(r["disp"])) for r in rows if r["set"] == which]
    a = torch.tensor(sel)
    return a[:, :1], a[:, 1:]


t_fit, u_fit = table("fit")
t_ref, u_ref = table("ref")
T_END = 2.0


class Field(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [1] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(width, 1)
        self.log_damp = nn.Parameter(torch.tensor(0.0))
        self.log_freq = nn.Parameter(torch.tensor(1.4))

    def forward(self, t):
        h = 2.0 * t / T_END - 1.0
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)

    def residual(self, t):
        t = t.clone().requires_grad_(True)
        u = self(t)
        du, = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)
        d2u, = torch.autograd.grad(du, t, torch.ones_like(du), create_graph=True)
        w2 = self.log_freq.exp() ** 2
        return (d2u + 2 * self.log_damp.exp() * du + w2 * u) / w2


model = Field()
colloc = torch.linspace(0, T_END, 120).unsqueeze(1)


def losses(t_c):
    data = (model(t_fit) - u_fit).pow(2).mean()
    phys = model.residual(t_c).pow(2).mean()
    return data, phys


def objective(t_c):
    data, phys = losses(t_c)
    return data + 0.3 * phys


def report(tag):
    data, phys = losses(colloc)
    with torch.no_grad():
        rmse = (model(t_ref) - u_ref).pow(2).mean().sqrt().item()
    print(f"{tag:>12}  data {data.item():.3e}  physics {phys.item():.3e}  "
          f"damp {model.log_damp.exp().item():.3f}  freq {model.log_freq.exp().item():.3f}  ref rmse {rmse:.4f}")


report("start")
adam = torch.optim.Adam(model.parameters(), lr=3e-3)
for it in range(1, 2001):
    jitter = (colloc + (torch.rand_like(colloc) - 0.5) * T_END / 120).clamp(0, T_END)
    adam.zero_grad()
    loss = objective(jitter)
    loss.backward()
    adam.step()
    if it % 400 == 0:
        report(f"adam {it}")

lbfgs = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=25, history_size=30,
                          tolerance_grad=1e-8, tolerance_change=1e-11, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    value = objective(colloc)
    value.backward()
    return value


for k in range(1, 21):
    lbfgs.step(closure)
    if k % 5 == 0:
        report(f"lbfgs {k}")
