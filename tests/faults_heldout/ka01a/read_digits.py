# Reads the 8x8 digit crops of the meter photos and trains a small conv net.
import csv

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)

EPOCHS = 30
BATCH = 64
LR = 2e-3

crops = np.load("crops.npy").astype(np.float32) / 16.0
digit, part = [], []
with open("annotations.csv", newline="") as f:
    for row in csv.DictReader(f):
        digit.append(int(row["digit"]))
        part.append(row["part"])
digit = torch.tensor(digit)
part = np.array(part)

x = torch.from_numpy(crops).unsqueeze(1)
x = (x - 0.3) / 0.38
train_idx = np.flatnonzero(part == "train")
check_idx = np.flatnonzero(part == "check")

train_loader = DataLoader(TensorDataset(x[train_idx], digit[train_idx]), batch_size=BATCH, shuffle=True)
check_loader = DataLoader(TensorDataset(x[check_idx], digit[check_idx]), batch_size=256)

net = nn.Sequential(
    nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(),
    nn.Conv2d(24, 48, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(48, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(64 * 4, 96), nn.ReLU(),
    nn.Linear(96, 10),
)
opt = torch.optim.Adam(net.parameters(), lr=LR, weight_decay=1e-5)

for epoch in range(1, EPOCHS + 1):
    net.train()
    total, hits, seen = 0.0, 0, 0
    for xb, yb in train_loader:
        opt.zero_grad()
        out = net(xb)
        loss = F.cross_entropy(out, yb)
        loss.backward()
        opt.step()
        total += loss.item() * len(yb)
        hits += (out.argmax(1) == yb).sum().item()
        seen += len(yb)

    net.eval()
    c_loss, c_hits, c_seen = 0.0, 0, 0
    with torch.no_grad():
        for xb, yb in check_loader:
            out = net(xb)
            c_loss += F.cross_entropy(out, yb, reduction="sum").item()
            c_hits += (out.argmax(1) == yb).sum().item()
            c_seen += len(yb)
    print(f"epoch {epoch:2d}  train {total / seen:.4f} / {hits / seen:.3f}   check {c_loss / c_seen:.4f} / {c_hits / c_seen:.3f}")
