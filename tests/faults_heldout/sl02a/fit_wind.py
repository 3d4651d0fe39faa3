# %% Wind force at sea from hydrophone band levels
import csv
import json
import sys

import numpy as np
import torch
from torch import nn

cfg = json.load(open("settings.json"))
seed = int(sys.argv[1]) if len(sys.argv) > 1 else cfg["seed"]
torch.manual_seed(seed)

# %% read
with open("hydrophone.csv") as fh:
    rows = list(csv.DictReader(fh))
bands = [c for c in rows[0] if c.startswith("hz")]
x = np.array([[float(r[b]) for b in bands] for r in rows], dtype=np.float32)
force = [r["beaufort"] for r in rows]
part = np.array([r["part"] for r in rows])

levels = cfg["levels"]
code = {name: i for i, name in enumerate(levels)}
y = np.array([code[f] for f in force], dtype=np.float32)
true_force = np.array([int(f) for f in force])

tr, va = part == "train", part == "valid"
mu, sd = x[tr].mean(0), x[tr].std(0)
x = torch.from_numpy((x - mu) / sd)
ym, ys = float(y[tr].mean()), float(y[tr].std())
t = torch.from_numpy((y - ym) / ys)
tr_i = torch.from_numpy(np.where(tr)[0])
va_i = torch.from_numpy(np.where(va)[0])


# %% model: bands are neighbours in frequency, so a short convolution first
class BandNet(nn.Module):
    def __init__(self, n, ch=12):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, ch, 5, padding=2), nn.GELU(), nn.Conv1d(ch, ch, 5, stride=2, padding=2), nn.GELU())
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(ch * ((n + 1) // 2), 32), nn.GELU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.head(self.conv(x[:, None])).squeeze(-1)


net = BandNet(len(bands))
opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg["lr"], total_steps=cfg["epochs"] * (-(-len(tr_i) // cfg["batch"])))
huber = nn.SmoothL1Loss()

# %% fit
for epoch in range(cfg["epochs"]):
    net.train()
    tot = 0.0
    for idx in tr_i[torch.randperm(len(tr_i))].split(cfg["batch"]):
        loss = huber(net(x[idx]), t[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        out = net(x[va_i])
        vloss = huber(out, t[va_i]).item()
    pick = (out * ys + ym).round().clamp(0, len(levels) - 1).long().tolist()
    bft = np.array([int(levels[p]) for p in pick])
    mae = np.abs(bft - true_force[va]).mean()
    print(f"{epoch:3d} train {tot / len(tr_i):.4f} valid {vloss:.4f} MAE {mae:.3f} Bft")
