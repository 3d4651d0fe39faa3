# Power plant output from ambient conditions: small MLP ensemble member.
import csv
import math
import pathlib
import random

import torch
import torch.nn as nn

here = pathlib.Path(__file__).parent
torch.set_num_threads(1)
random.seed(21)
torch.manual_seed(21)

with open(here / "data" / "plant.csv") as f:
    reader = csv.reader(f)
    header = next(reader)
    rows = [[float(v) for v in r] for r in reader]
random.shuffle(rows)
table = torch.tensor(rows)
X, y = table[:, :-1], table[:, -1:]
n_val = len(X) // 5
Xv, yv, Xt, yt = X[:n_val], y[:n_val], X[n_val:], y[n_val:]
y_mean, y_std = yt.mean(), yt.std()

net = nn.Sequential(
    nn.Linear(X.shape[1], 64), nn.Tanh(),
    nn.Linear(64, 64), nn.Tanh(),
    nn.Linear(64, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=30)
mse = nn.MSELoss()

for epoch in range(30):
    net.train()
    perm = torch.randperm(len(Xt))
    tot = 0.0
    for i in range(0, len(Xt), 64):
        b = perm[i:i + 64]
        opt.zero_grad()
        loss = mse(net(Xt[b]), (yt[b] - y_mean) / y_std)
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    sched.step()
    net.eval()
    with torch.no_grad():
        pred = net(Xv) * y_std + y_mean
        rmse = math.sqrt(mse(pred, yv).item())
        r2 = 1 - ((pred - yv) ** 2).sum() / ((yv - yv.mean()) ** 2).sum()
    if epoch % 3 == 2:
        print("epoch %d loss %.4f val_rmse %.2f MW r2 %.3f" % (epoch + 1, tot / len(Xt), rmse, r2))
