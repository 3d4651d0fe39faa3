# Annual heating demand of single homes, MLP on log(kWh).
import argparse
import csv
import os

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

p = argparse.ArgumentParser()
p.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "homes.csv"))
p.add_argument("--epochs", type=int, default=60)
p.add_argument("--batch-size", type=int, default=64)
p.add_argument("--lr", type=float, default=2e-3)
p.add_argument("--width", type=int, default=64)
p.add_argument("--layers", type=int, default=3)
p.add_argument("--dropout", type=float, default=0.0)
p.add_argument("--weight-decay", type=float, default=1e-4)
p.add_argument("--seed", type=int, default=0)
args = p.parse_args()

torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)

with open(args.data) as f:
    rows = list(csv.DictReader(f))

numeric = ["area_m2", "age_years", "floors", "glazing", "degree_days", "occupants"]
X = np.array([[float(r[c]) for c in numeric] for r in rows], dtype=np.float32)
for col in ("insulation", "heating"):
    values = sorted({r[col] for r in rows})
    X = np.hstack([X, np.array([[r[col] == v for v in values] for r in rows], dtype=np.float32)])
y = np.log(np.array([float(r["kwh_per_year"]) for r in rows], dtype=np.float32))

perm = rng.permutation(len(X))
n_val = len(X) // 5
va, tr = perm[:n_val], perm[n_val:]
k = len(numeric)
mu, sd = X[tr, :k].mean(0), X[tr, :k].std(0)
X[:, :k] = (X[:, :k] - mu) / sd
y_mu, y_sd = y[tr].mean(), y[tr].std()
y = (y - y_mu) / y_sd

X, y = torch.from_numpy(X), torch.from_numpy(y).unsqueeze(1)
loader = DataLoader(TensorDataset(X[tr], y[tr]), batch_size=args.batch_size, shuffle=True)

layers = []
width_in = X.shape[1]
for _ in range(args.layers):
    layers += [nn.Linear(width_in, args.width), nn.ReLU(), nn.Dropout(args.dropout)]
    width_in = args.width
layers.append(nn.Linear(width_in, 1))
net = nn.Sequential(*layers)
print(net)

opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=args.weight_decay)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs * len(loader))
crit = nn.MSELoss()


def r2(idx):
    net.eval()
    with torch.no_grad():
        pred = net(X[idx])
    return 1 - ((pred - y[idx]) ** 2).sum().item() / ((y[idx] - y[idx].mean()) ** 2).sum().item()


for epoch in range(args.epochs):
    net.train()
    losses = []
    for xb, yb in loader:
        opt.zero_grad()
        loss = crit(net(xb), yb)
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.item())
    if epoch % 5 == 4 or epoch == 0:
        print("epoch %3d | mse %.4f | R2 train %.3f val %.3f" % (epoch + 1, np.mean(losses), r2(tr), r2(va)))
