import csv
import glob

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


def read_table(path):
    with open(path, newline="") as f:
        reader = csv.reader(f)
        header = next(reader)
        rows = list(reader)
    x = np.array([[float(v) for v in r[:-1]] for r in rows], dtype=np.float32)
    crops, y = np.unique([r[-1] for r in rows], return_inverse=True)
    print(f"{path}: {len(x)} fields, {len(crops)} crops, {len(header) - 1} bands")
    return x, y


tables = [read_table(p) for p in sorted(glob.glob("site_*.csv"))]
X = np.concatenate([t[0] for t in tables])
Y = np.concatenate([t[1] for t in tables])
Xv, Yv = read_table("holdout.csv")

mean, std = X.mean(0), X.std(0)
X, Xv = (torch.from_numpy((a - mean) / std) for a in (X, Xv))
Y, Yv = torch.from_numpy(Y), torch.from_numpy(Yv)

net = nn.Sequential(
    nn.Linear(X.shape[1], 64), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(64, int(Y.max()) + 1),
)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()

for epoch in range(30):
    net.train()
    running = 0.0
    for idx in torch.randperm(len(X)).split(32):
        optimizer.zero_grad()
        loss = criterion(net(X[idx]), Y[idx])
        loss.backward()
        optimizer.step()
        running += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        logits = net(Xv)
        acc = (logits.argmax(1) == Yv).float().mean().item()
        vloss = criterion(logits, Yv).item()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1:2d}  train {running / len(X):.4f}  holdout {vloss:.4f}  acc {acc:.3f}")
