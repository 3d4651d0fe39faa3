"""Next-hour particulate concentration from a weather station's readings."""
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 31
rng = np.random.default_rng(seed)
torch.manual_seed(seed)

n = 7000
pressure = rng.normal(101325, 750, n)            # Pa
temperature = rng.normal(284, 8, n)              # K
humidity = rng.beta(5, 3, n)                     # fraction
wind = rng.weibull(1.8, n) * 4                   # m/s
wind_dir = rng.uniform(0, 360, n)                # degrees
traffic = rng.gamma(3, 900, n)                   # vehicles per hour
mixing = rng.lognormal(6.6, 0.5, n)              # m
so2 = rng.gamma(2, 2000, n)                      # ng/m3
X = np.stack([pressure, temperature, humidity, wind, np.sin(np.deg2rad(wind_dir)),
              np.cos(np.deg2rad(wind_dir)), traffic, mixing, so2], 1)

source = traffic / 2700 + 0.8 * (so2 / 4000) * (1 + np.cos(np.deg2rad(wind_dir - 60)))
dilution = (0.5 + wind / 4) * np.sqrt(mixing / 735)
pm = 14 * source / dilution * np.exp((pressure - 101325) / 2500) * (1 + 0.6 * (humidity > 0.75))
log_pm = np.log1p(pm) + rng.normal(0, 0.08, n)

X = torch.tensor(X, dtype=torch.float32)
y = torch.tensor(log_pm, dtype=torch.float32)
tr, va = slice(0, 5500), slice(5500, n)


class Station(nn.Module):
    def __init__(self, d, h=96):
        super().__init__()
        self.inp = nn.BatchNorm1d(d, affine=False)
        self.l1 = nn.Linear(d, h)
        self.l2 = nn.Linear(h, h)
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        z = self.inp(x)
        z = torch.nn.functional.gelu(self.l1(z))
        z = z + torch.nn.functional.gelu(self.l2(z))
        return self.out(z).squeeze(-1)


model = Station(X.shape[1])
epochs = 25
loader = DataLoader(TensorDataset(X[tr], y[tr]), batch_size=110, shuffle=True)
optim = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.02)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, epochs * len(loader), eta_min=3e-5)
huber = nn.SmoothL1Loss(beta=0.3)

print("epoch  train   val    R2")
for epoch in range(1, epochs + 1):
    model.train()
    acc = 0.0
    for xb, yb in loader:
        optim.zero_grad()
        loss = huber(model(xb), yb)
        loss.backward()
        optim.step()
        sched.step()
        acc += loss.item() * len(xb)
    model.eval()
    with torch.no_grad():
        pred = model(X[va])
        val = huber(pred, y[va]).item()
        r2 = 1 - ((pred - y[va]) ** 2).mean() / y[va].var()
    print(f"{epoch:4d}  {acc / 5500:.4f}  {val:.4f}  {r2:.3f}")
