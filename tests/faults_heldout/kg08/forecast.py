import csv
import math
import torch
from torch import nn

LEVELS = (0.1, 0.5, 0.9)


class PinballLoss(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels

    def forward(self, pred, target):
        total = 0.0
        for k, q in enumerate(self.levels):
            err = target - pred[:, k:k + 1]
            total = total + torch.maximum(q * err, (q - 1) * err).mean()
        return total / len(self.levels)


def features(hour, weekday, temp):
    a, b = 2 * math.pi * hour / 24, 2 * math.pi * weekday / 7
    return [math.sin(a), math.cos(a), math.sin(2 * a), math.cos(2 * a), math.sin(b), math.cos(b),
            1.0 if weekday >= 5 else 0.0, temp]


def read(path):
    X, y = [], []
    with open(path) as f:
        for row in csv.DictReader(f):
            X.append(features(int(row["hour"]), int(row["weekday"]), float(row["temp"])))
            y.append(float(row["demand"]))
    return torch.tensor(X), torch.tensor(y)


torch.manual_seed(2)
X, y = read("demand.csv")
perm = torch.randperm(len(X))
X, y = X[perm], y[perm]
cut = 2000
X[:, -1] = (X[:, -1] - X[:cut, -1].mean()) / X[:cut, -1].std()
centre, scale = y[:cut].mean(), y[:cut].std()
y = (y - centre) / scale

net = nn.Sequential(nn.Linear(8, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, len(LEVELS)))
loss_fn = PinballLoss(LEVELS)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)

for epoch in range(60):
    net.train()
    running = 0.0
    batches = torch.randperm(cut).split(100)
    for idx in batches:
        loss = loss_fn(net(X[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
    if epoch % 6 == 5:
        net.eval()
        with torch.no_grad():
            out = net(X[cut:])
        low, mid, high = out.unbind(1)
        inside = ((y[cut:] > low) & (y[cut:] < high)).float().mean()
        mae = (y[cut:] - mid).abs().mean() * scale
        width = (high - low).mean() * scale
        print(f"epoch {epoch + 1:3d} pinball {running / len(batches):.4f} | test median MAE {mae:.2f} MW, "
              f"80% band covers {inside:.2f}, width {width:.1f} MW")
