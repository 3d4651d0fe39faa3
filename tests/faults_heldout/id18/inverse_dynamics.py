"""Joint torques of the two-link arm from its motion, full batch."""
import argparse

import numpy as np
import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("log", nargs="?", default="arm_log.txt")
ap.add_argument("--rounds", type=int, default=25)
ap.add_argument("--hidden", type=int, default=24)
ap.add_argument("--ridge", type=float, default=2e-5)
opts = ap.parse_args()
torch.manual_seed(18)
torch.set_default_dtype(torch.float64)

table = torch.from_numpy(np.loadtxt(opts.log))
table = table[torch.randperm(len(table))]
q, dq, ddq, tau = table.split(2, dim=1)
x = torch.cat([q.sin(), q.cos(), dq, ddq], 1)
n = 1200
x = (x - x[:n].mean(0)) / x[:n].std(0)
scale = tau[:n].std(0)
t = (tau - tau[:n].mean(0)) / scale

net = nn.Sequential(nn.Linear(8, opts.hidden), nn.Tanh(), nn.Linear(opts.hidden, opts.hidden), nn.Tanh(), nn.Linear(opts.hidden, 2))
lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=20, line_search_fn="strong_wolfe")
weights = [p for p in net.parameters() if p.dim() == 2]


def objective():
    return nn.functional.mse_loss(net(x[:n]), t[:n]) + opts.ridge * sum(w.square().sum() for w in weights)


def closure():
    lbfgs.zero_grad()
    value = objective()
    value.backward()
    return value


for k in range(opts.rounds):
    net.train()
    before = lbfgs.step(closure)
    net.eval()
    with torch.no_grad():
        fit = nn.functional.mse_loss(net(x[:n]), t[:n]).item()
        err = net(x[n:]) - t[n:]
        rms = (err * scale).square().mean(0).sqrt()
    if k % 3 == 0 or k == opts.rounds - 1:
        print(f"round {k:2d}  objective at start {before.item():.5f}  fit {fit:.5f}  held out {err.square().mean().item():.5f}"
              f"  rms shoulder {rms[0]:.3f} Nm elbow {rms[1]:.3f} Nm")
