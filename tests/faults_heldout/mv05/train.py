# Four-parameter logistic curves for three compounds on one plate
import csv
import math
import sys
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 8)

rows = list(csv.DictReader(open(Path(__file__).parent / "plate.csv")))
comp = torch.tensor(["ABC".index(r["compound"]) for r in rows])
logd = torch.tensor([math.log(float(r["dose_um"])) for r in rows])
resp = torch.tensor([float(r["response_pct"]) for r in rows])
pick = torch.randperm(len(rows))
tr, te = pick[:420], pick[420:]


class Curve(nn.Module):
    def __init__(self):
        super().__init__()
        self.bottom = nn.Parameter(torch.tensor(0.0))
        self.top = nn.Parameter(torch.full((3,), 100.0))
        self.log_ec50 = nn.Parameter(torch.zeros(3))
        self.log_hill = nn.Parameter(torch.zeros(3))

    def forward(self, c, ld):
        s = torch.sigmoid(self.log_hill[c].exp() * (ld - self.log_ec50[c]))
        return self.bottom + (self.top[c] - self.bottom) * s


def squared(pred, y):
    return ((pred - y) ** 2).mean()


curve = Curve()
optimizer = torch.optim.Adam([
    {"params": [curve.bottom, curve.top], "lr": 0.5},
    {"params": [curve.log_ec50, curve.log_hill], "lr": 0.03},
])
for epoch in range(1, 121):
    run = 0.0
    for idx in tr[torch.randperm(len(tr))].split(70):
        loss = squared(curve(comp[idx], logd[idx]), resp[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        run += loss.item() * len(idx)
    if epoch % 10 == 0:
        with torch.no_grad():
            held = squared(curve(comp[te], logd[te]), resp[te]).item()
        print(f"epoch {epoch:3d}  mse {run / len(tr):8.2f}  held-out mse {held:8.2f}"
              f"  R2 {1 - held / resp[te].var(unbiased=False).item():.3f}")

# spread between replicate wells, as the reference for the residual
groups = {}
for c, d, y in zip(comp.tolist(), logd.tolist(), resp.tolist()):
    groups.setdefault((c, round(d, 3)), []).append(y)
ss = sum(sum((v - sum(g) / len(g)) ** 2 for v in g) for g in groups.values())
print(f"replicate variance {ss / (len(rows) - len(groups)):.2f}")
for i, name in enumerate("ABC"):
    print(name, f"top {curve.top[i].item():.1f} ec50 {curve.log_ec50[i].exp().item():.2f} hill {curve.log_hill[i].exp().item():.2f}")
