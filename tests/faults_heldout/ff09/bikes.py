# Hourly bike rentals: count regression from calendar + weather.
import csv, math, os, random
import torch
from torch import nn

random.seed(8); torch.manual_seed(8)
FILE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "rentals.csv")

def featurize(r):
    h = 2 * math.pi * float(r["hour"]) / 24
    hour = [math.sin(h), math.cos(h), math.sin(2 * h), math.cos(2 * h), math.sin(3 * h), math.cos(3 * h)]
    weather = [(float(r["temp"]) - 14) / 8, (float(r["humidity"]) - 58) / 16, (float(r["wind"]) - 8) / 6]
    return hour + weather + [float(r["holiday"])]

with open(FILE) as fh:
    rows = list(csv.DictReader(fh))
days = sorted({int(r["day"]) for r in rows})
random.shuffle(days)
test_days = set(days[:36])
tr = [r for r in rows if int(r["day"]) not in test_days]
te = [r for r in rows if int(r["day"]) in test_days]
Xtr, Xte = (torch.tensor([featurize(r) for r in s]) for s in (tr, te))
ytr, yte = (torch.tensor([float(r["count"]) for r in s]) for s in (tr, te))

class CountNet(nn.Module):
    """Predicts the expected number of rentals in the hour."""
    def __init__(self, d, h=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.rate = nn.Sequential(nn.Linear(h, 1), nn.Softplus())
    def forward(self, x):
        return self.rate(self.trunk(x)).squeeze(1)

net = CountNet(Xtr.shape[1])
criterion = nn.PoissonNLLLoss()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)

def mae(pred, y): return (pred - y).abs().mean().item()

print(f"{len(tr)} hours train, {len(te)} hours test, MAE of the mean: {mae(ytr.mean(), yte):.2f}")
for epoch in range(20):
    order = torch.randperm(len(ytr))
    tot = 0.0
    for ix in order.split(64):
        loss = criterion(net(Xtr[ix]), ytr[ix])
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item() * len(ix)
    with torch.no_grad():
        pred = net(Xte)
    print(f"epoch {epoch:2d} nll {tot/len(ytr):8.4f} | test MAE {mae(pred, yte):6.3f}  mean prediction {pred.mean():.2f} (true {yte.mean():.2f})")
