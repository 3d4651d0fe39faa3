"""Daily evaporation from the weather station on the roof."""
import csv

import torch
import torch.nn as nn

torch.manual_seed(21)

with open("station.csv") as f:
    rows = list(csv.DictReader(f))
names = ["temp_k", "pressure_pa", "humidity", "wind", "radiation"]
X = torch.tensor([[float(r[n]) for n in names] for r in rows])
y = torch.tensor([float(r["evaporation"]) for r in rows]).unsqueeze(1)

perm = torch.randperm(len(X))
tr, va = perm[:2400], perm[2400:]

# bring everything to the same range
top = X[tr].max(dim=0).values
X = X / top
y_mean, y_std = y[tr].mean(), y[tr].std()
t = (y - y_mean) / y_std

net = nn.Sequential(
    nn.Linear(5, 64), nn.ReLU(),
    nn.Linear(64, 64), nn.ReLU(),
    nn.Linear(64, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
crit = nn.MSELoss()

for epoch in range(50):
    net.train()
    order = tr[torch.randperm(len(tr))]
    total = 0.0
    for chunk in order.split(32):
        loss = crit(net(X[chunk]), t[chunk])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(chunk)
    if epoch % 5 == 4:
        net.eval()
        with torch.no_grad():
            p = net(X[va]) * y_std + y_mean
        err = (p - y[va]).pow(2).mean()
        r2 = 1 - err / y[va].var(unbiased=False)
        print(f"epoch {epoch + 1:3d} train mse {total / len(tr):.4f}  val rmse {err.sqrt():.3f} mm  R2 {r2:.3f}")
