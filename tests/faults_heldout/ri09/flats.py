import csv

import torch
from torch import nn

torch.manual_seed(1)

with open("flats.csv") as f:
    rows = list(csv.DictReader(f))
cols = [c for c in rows[0] if c != "price"]
X = torch.tensor([[float(r[c]) for c in cols] for r in rows])
y = torch.tensor([[float(r["price"])] for r in rows])

perm = torch.randperm(len(X))
train, test = perm[:960], perm[960:]
mu, sd = X[train].mean(0), X[train].std(0)
X = (X - mu) / sd

model = nn.Sequential(nn.Linear(len(cols), 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
mse = nn.MSELoss()

for epoch in range(1, 61):
    model.train()
    for b in train[torch.randperm(len(train))].split(32):
        opt.zero_grad()
        loss = mse(model(X[b]), y[b])
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        model.eval()
        with torch.no_grad():
            p = model(X[test])
            mae = (p - y[test]).abs().mean().item()
            r2 = 1 - ((p - y[test]) ** 2).mean().item() / y[test].var(unbiased=False).item()
        print(f"epoch {epoch:3d} loss {loss.item():.4g} test MAE {mae:.0f} R2 {r2:.3f}")
