# Asking price of used trucks, everything in roubles.
import csv
import torch
from torch import nn

torch.manual_seed(4)
rows = list(csv.DictReader(open("trucks.csv"), delimiter=";"))
brands = sorted({r["brand"] for r in rows})


def features(r):
    one_hot = [float(r["brand"] == b) for b in brands]
    return one_hot + [float(r["mileage_km"]) / 1e5, float(r["age_years"]), float(r["horse_power"]) / 100,
                      float(r["axles"]), float(r["euro"]), float(r["cooled"])]


X = torch.tensor([features(r) for r in rows])
Y = torch.tensor([float(r["price_rub"]) for r in rows])
perm = torch.randperm(len(X))
tr, va = perm[:3200], perm[3200:]


class TruckPrice(nn.Module):
    """Works in standard units inside, talks in roubles outside."""

    def __init__(self, x, y):
        super().__init__()
        self.register_buffer("xm", x.mean(0))
        self.register_buffer("xs", x.std(0))
        self.register_buffer("ym", y.mean())
        self.register_buffer("ys", y.std())
        self.net = nn.Sequential(nn.Linear(x.shape[1], 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))

    def forward(self, x):
        return self.ym + self.ys * self.net((x - self.xm) / self.xs).squeeze(-1)


model = TruckPrice(X[tr], Y[tr])
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 30)
mse = nn.MSELoss()

for epoch in range(30):
    model.train()
    acc = 0.0
    for idx in tr[torch.randperm(len(tr))].split(50):
        loss = mse(model(X[idx]), Y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        acc += loss.item() * len(idx)
    scheduler.step()
    model.eval()
    with torch.no_grad():
        p = model(X[va])
        v = mse(p, Y[va]).item()
        r2 = 1 - v / Y[va].var(unbiased=False).item()
        rel = ((p - Y[va]).abs() / Y[va]).median().item()
    print(f"epoch {epoch + 1}: mse {acc / len(tr):,.0f} rub^2   validation {v:,.0f} rub^2   R2 {r2:.4f}   typical miss {100 * rel:.1f} %")
