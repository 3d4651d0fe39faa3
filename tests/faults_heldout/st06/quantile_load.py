import configparser
import csv
import math
import os

import torch

here = os.path.dirname(os.path.abspath(__file__))
ini = configparser.ConfigParser()
ini.read(os.path.join(here, "run.ini"))
torch.manual_seed(ini.getint("fit", "seed"))
levels = torch.tensor([float(q) for q in ini["model"]["levels"].split()])


def features(r):
    h = 2 * math.pi * int(r["hour"]) / 24
    row = [f(k * h) for k in (1, 2, 3, 4) for f in (math.sin, math.cos)]
    row += [float(int(r["dow"]) >= 5), float(r["holiday"])]
    t = float(r["temp_c"])
    return row + [(t - 12) / 8]


x, y, held = [], [], []
with open(os.path.join(here, ini["data"]["file"])) as f:
    for r in csv.DictReader(f):
        x.append(features(r))
        y.append(float(r["load_mw"]))
        held.append(int(r["day"]) % ini.getint("data", "test_every") == 3)
x, y, held = torch.tensor(x), torch.tensor(y), torch.tensor(held)
xa, ya, xb, yb = x[~held], y[~held], x[held], y[held]


class Fan(torch.nn.Module):
    def __init__(self, n, width, centre, spread):
        super().__init__()
        self.trunk = torch.nn.Sequential(
            torch.nn.Linear(n, width), torch.nn.SiLU(),
            torch.nn.Linear(width, width), torch.nn.SiLU(),
            torch.nn.Linear(width, len(levels)))
        self.register_buffer("centre", centre)
        self.register_buffer("spread", spread)

    def forward(self, v):
        o = self.trunk(v)
        steps = torch.nn.functional.softplus(o[:, 1:] - 2.5)
        low = o[:, :1]
        fan = torch.cat([low, low + steps.cumsum(1)], 1)
        return self.centre + self.spread * fan


def pinball_mw(fan, target):
    gap = target.unsqueeze(1) - fan
    return torch.maximum(levels * gap, (levels - 1) * gap).sum(1).mean()


net = Fan(x.shape[1], ini.getint("model", "width"), ya.mean(), ya.std())
opt = torch.optim.Adam(net.parameters(), lr=ini.getfloat("fit", "lr"))
epochs = ini.getint("fit", "epochs")
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
flat = pinball_mw(torch.quantile(ya, levels).expand(len(yb), -1), yb).item()

for ep in range(epochs):
    total = 0.0
    for i in torch.randperm(len(xa)).split(ini.getint("fit", "batch")):
        loss = pinball_mw(net(xa[i]), ya[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(i)
    sched.step()
    with torch.no_grad():
        fan = net(xb)
        test = pinball_mw(fan, yb).item()
        cover = ((yb > fan[:, 0]) & (yb < fan[:, -1])).float().mean().item()
    print(f"{ep:02d} train {total / len(xa):9.1f} MW  test {test:9.1f} MW  "
          f"skill {1 - test / flat:.3f}  cover90 {cover:.3f}")
