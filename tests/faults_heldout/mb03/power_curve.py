# Probabilistic power curve of a wind turbine: mean and spread of the power, per weather condition.
import csv
import math
import random

import torch
from torch import nn

torch.manual_seed(3)
random.seed(3)

with open("turbine.csv") as f:
    rows = [[float(r[k]) for k in ("wind_ms", "density", "turbulence", "yaw_deg", "temp_c", "power_kw")]
            for r in csv.DictReader(f)]
random.shuffle(rows)
table = torch.tensor(rows)
x, y = table[:, :5], table[:, 5]
n_train, n_val = 3500, 700
mu, sd = x[:n_train].mean(0), x[:n_train].std(0)
x = (x - mu) / sd
rated = 2000.0
y = y / rated                       # fraction of rated power
xt, yt = x[:n_train], y[:n_train]
xv, yv = x[n_train:n_train + n_val], y[n_train:n_train + n_val]
xs, ys = x[n_train + n_val:], y[n_train + n_val:]


class PowerCurve(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mean = nn.Linear(hidden, 1)
        self.spread = nn.Linear(hidden, 1)
        # start with one spread for all conditions
        nn.init.zeros_(self.spread.weight)
        nn.init.constant_(self.spread.bias, math.log(0.2))

    def forward(self, x):
        h = self.trunk(x)
        return self.mean(h).squeeze(1), self.spread(h).squeeze(1).clamp(-7.0, 2.0)


def nll(y, mean, log_sd):
    return (log_sd + 0.5 * ((y - mean) / log_sd.exp()) ** 2 + 0.5 * math.log(2 * math.pi)).mean()


net = PowerCurve()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
epochs = 40
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * math.ceil(n_train / 64))

for epoch in range(epochs):
    net.train()
    seen = 0.0
    for idx in torch.randperm(n_train).split(64):
        loss = nll(yt[idx], *net(xt[idx]))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        opt.step()
        sched.step()
        seen += loss.item() * len(idx)
    if epoch % 5 == 4:
        net.eval()
        with torch.no_grad():
            m, s = net(xv)
            print(f"epoch {epoch + 1:3d}  nll train {seen / n_train:7.3f}  val {nll(yv, m, s):7.3f}  "
                  f"val mae {(m - yv).abs().mean() * rated:6.1f} kW")

net.eval()
with torch.no_grad():
    m, s = net(xs)
    z = (ys - m) / s.exp()
    base = nll(ys, yt.mean().expand_as(ys), yt.std().log().expand_as(ys))
    print(f"test nll {nll(ys, m, s):.3f}   one gaussian for all {base:.3f}")
    print(f"test mae {(m - ys).abs().mean() * rated:.1f} kW   share within 1 sd {(z.abs() < 1).float().mean():.3f}, "
          f"within 2 sd {(z.abs() < 2).float().mean():.3f}")
