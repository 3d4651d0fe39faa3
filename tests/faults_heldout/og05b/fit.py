import csv

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

COLS = ["temp", "rh", "wind", "pres", "hour_sin", "hour_cos", "weekend"]


def load(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    x = torch.tensor([[float(r[c]) for c in COLS] for r in rows])
    y = torch.tensor([[float(r["log_rides"])] for r in rows])
    is_val = torch.tensor([r["fold"] == "val" for r in rows])
    return (x[~is_val], y[~is_val]), (x[is_val], y[is_val])


def build():
    return nn.Sequential(
        nn.Linear(len(COLS), 64), nn.ReLU(),
        nn.Linear(64, 64), nn.ReLU(),
        nn.Linear(64, 1),
    )


torch.manual_seed(17)
train, (xv, yv) = load("rides.csv")
loader = DataLoader(TensorDataset(*train), batch_size=64, shuffle=True)
net = build()
with torch.no_grad():
    net[-1].bias.fill_(train[1].mean())
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=12, gamma=0.3)
loss_fn = nn.MSELoss()

for epoch in range(30):
    net.train()
    run = 0.0
    for x, y in loader:
        loss = loss_fn(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        run += loss.item() * len(x)
    sched.step()
    if epoch % 3 == 2:
        net.eval()
        with torch.no_grad():
            v = loss_fn(net(xv), yv).item()
        print(f"epoch {epoch + 1}  mse {run / len(train[0]):.4f}  val mse {v:.4f}  val r2 {1 - v / yv.var().item():.3f}")
