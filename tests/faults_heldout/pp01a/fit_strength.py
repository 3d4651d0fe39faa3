"""Compressive strength of concrete from the mix design.

mixes.csv   one line per cylinder, written by the batching plant
press.csv   one line per cylinder, written by the hydraulic press
"""
import csv
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(11)
rng = np.random.default_rng(11)


def read_table(name):
    with open(os.path.join(HERE, name), newline="") as fh:
        rows = list(csv.DictReader(fh))
    return rows


COLUMNS = ["cement", "slag", "fly_ash", "water", "plasticizer", "coarse", "fine", "age_days"]

mixes = read_table("mixes.csv")
press = read_table("press.csv")
assert len(mixes) == len(press)

x = np.array([[float(row[c]) for c in COLUMNS] for row in mixes], dtype=np.float32)
x[:, -1] = np.log1p(x[:, -1])
y = np.array([float(row["strength_MPa"]) for row in press], dtype=np.float32)[:, None]

perm = rng.permutation(len(x))
cut = int(0.8 * len(x))
tr, te = perm[:cut], perm[cut:]

mu, sd = x[tr].mean(0), x[tr].std(0)
x = (x - mu) / sd
y_mu, y_sd = y[tr].mean(), y[tr].std()
t = (y - y_mu) / y_sd

xtr, ttr = torch.from_numpy(x[tr]), torch.from_numpy(t[tr])
xte, tte = torch.from_numpy(x[te]), torch.from_numpy(t[te])

net = nn.Sequential(
    nn.Linear(len(COLUMNS), 32), nn.SiLU(),
    nn.Linear(32, 32), nn.SiLU(),
    nn.Linear(32, 1),
)
EPOCHS, BATCH = 45, 64
steps = EPOCHS * ((len(xtr) + BATCH - 1) // BATCH)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=steps)

for epoch in range(1, EPOCHS + 1):
    net.train()
    total = 0.0
    for idx in torch.randperm(len(xtr)).split(BATCH):
        loss = F.mse_loss(net(xtr[idx]), ttr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(idx)
    if epoch % 5 == 0 or epoch == 1:
        net.eval()
        with torch.no_grad():
            held = F.mse_loss(net(xte), tte).item()
        print(f"epoch {epoch:3d}  train {total / len(xtr):.4f}  test {held:.4f}"
              f"  rmse {held ** 0.5 * y_sd:.2f} MPa")

net.eval()
with torch.no_grad():
    r2 = 1.0 - F.mse_loss(net(xte), tte).item() / tte.var(unbiased=False).item()
print(f"R2 on held-out cylinders: {r2:.3f}")
