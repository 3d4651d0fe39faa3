# heating demand of buildings from the audit table
import csv

import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(3)
rng = np.random.default_rng(3)


def read(path):
    with open(path) as f:
        rows = list(csv.reader(f))
    return rows[0], np.array(rows[1:], dtype=np.float32)


names, feats = read("audit_features.csv")
_, demand = read("audit_demand.csv")
assert len(feats) == len(demand)
print(f"{len(feats)} buildings, columns: {', '.join(names)}")

perm = rng.permutation(len(feats))
n_val = len(feats) // 5
val_idx, train_idx = perm[:n_val], perm[n_val:]

mu, sd = feats[train_idx].mean(0), feats[train_idx].std(0)
X = torch.from_numpy((feats - mu) / sd)
ymu, ysd = demand[train_idx].mean(), demand[train_idx].std()
Y = torch.from_numpy((demand - ymu) / ysd)

Xt, Yt, Xv, Yv = X[train_idx], Y[train_idx], X[val_idx], Y[val_idx]

net = torch.nn.Sequential(
    torch.nn.Linear(X.shape[1], 64),
    torch.nn.SiLU(),
    torch.nn.Linear(64, 64),
    torch.nn.SiLU(),
    torch.nn.Linear(64, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
epochs, bs = 40, 64
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)

for ep in range(epochs):
    net.train()
    order = torch.randperm(len(Xt))
    run = 0.0
    for i in range(0, len(order), bs):
        b = order[i : i + bs]
        loss = F.mse_loss(net(Xt[b]), Yt[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        run += loss.item() * len(b)
    sched.step()
    if ep % 4 == 3:
        net.eval()
        with torch.no_grad():
            pv = net(Xv)
            r2 = 1 - ((pv - Yv) ** 2).sum() / ((Yv - Yv.mean()) ** 2).sum()
            mae = (pv - Yv).abs().mean() * float(ysd)
        print(f"epoch {ep + 1:3d}  train mse {run / len(Xt):.4f}  val R2 {r2:.3f}  val MAE {mae:.1f} kWh/m2")
