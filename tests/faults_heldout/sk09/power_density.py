"""Conditional density of turbine output given wind: mixture density network."""
import csv
import math
import sys
from pathlib import Path

import torch
from torch import nn

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 31
torch.manual_seed(seed)

with open(Path(__file__).with_name("turbine.csv")) as f:
    rec = list(csv.DictReader(f))
col = lambda k: torch.tensor([float(r[k]) for r in rec])
X = torch.stack([col("wind_speed"), col("wind_dir").sin(), col("wind_dir").cos(), col("air_density"), col("turbulence")], 1)
y = col("power_pu")
perm = torch.randperm(len(y))
tr, te = perm[:1900], perm[1900:]
X = (X - X[tr].mean(0)) / X[tr].std(0)


class MDN(nn.Module):
    def __init__(self, d, k=4, h=40):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())
        self.pi, self.mu, self.ls = nn.Linear(h, k), nn.Linear(h, k), nn.Linear(h, k)
        with torch.no_grad():
            self.mu.bias.copy_(torch.linspace(0.1, 1.0, k))
            self.ls.bias.fill_(-1.5)

    def nll(self, x, t):
        z = self.body(x)
        ls = self.ls(z).clamp(-4.6, 1.0)
        u = (t[:, None] - self.mu(z)) / ls.exp()
        comp = -0.5 * u.square() - ls - 0.5 * math.log(2 * math.pi)
        return -torch.logsumexp(self.pi(z).log_softmax(-1) + comp, -1).mean()


net = MDN(X.shape[1])
EPOCHS, BATCH = 24, 24
per_epoch = math.ceil(len(tr) / BATCH)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=8e-3, total_steps=EPOCHS * per_epoch, pct_start=0.25)

for epoch in range(EPOCHS):
    net.train()
    s = 0.0
    for b in tr[torch.randperm(len(tr))].split(BATCH):
        loss = net.nll(X[b], y[b])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        sched.step()
        s += loss.item() * len(b)
    net.eval()
    with torch.no_grad():
        v = net.nll(X[te], y[te]).item()
    if epoch % 2:
        print(f"epoch {epoch + 1:2d}  lr {sched.get_last_lr()[0]:.1e}  train nll {s / len(tr):+.4f}  test nll {v:+.4f}")
