import csv
import math
import sys

import torch
from torch import nn

EPOCHS, BATCH, LR, MOMENTUM = 60, 32, 4e-3, 0.9
DTYPE = torch.bfloat16


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    names = [c for c in rows[0] if c != "strength"]
    x = torch.tensor([[float(r[c]) for c in names] for r in rows])
    x[:, names.index("age")] = x[:, names.index("age")].log1p()
    y = torch.tensor([[float(r["strength"])] for r in rows])
    return x, y


class Residual(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        return x + self.net(x)


def build(n_in, d=48):
    return nn.Sequential(nn.Linear(n_in, d), Residual(d), Residual(d), nn.LayerNorm(d), nn.Linear(d, 1))


torch.manual_seed(0)
x, y = read_table(sys.argv[1] if len(sys.argv) > 1 else "mixes.csv")
order = torch.randperm(len(x))
cut = int(0.8 * len(x))
tr, te = order[:cut], order[cut:]
mu, sd = x[tr].mean(0), x[tr].std(0)
ymu, ysd = y[tr].mean(), y[tr].std()
x, y = (x - mu) / sd, (y - ymu) / ysd

net = build(x.shape[1]).to(DTYPE)
opt = torch.optim.SGD(net.parameters(), lr=LR, momentum=MOMENTUM, nesterov=True)
n_steps = EPOCHS * math.ceil(cut / BATCH)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, n_steps, eta_min=LR / 20)

for epoch in range(EPOCHS):
    net.train()
    total = 0.0
    for rows in tr[torch.randperm(cut)].split(BATCH):
        pred = net(x[rows].to(DTYPE)).float()
        loss = nn.functional.mse_loss(pred, y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(rows)
    if epoch % 6 == 5:
        net.eval()
        with torch.no_grad():
            err = net(x[te].to(DTYPE)).float() - y[te]
        print(f"epoch {epoch + 1}: train mse {total / cut:.4f}, test rmse {err.square().mean().sqrt() * ysd:.2f} MPa")
