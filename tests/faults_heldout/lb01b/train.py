import csv
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int, default=35)
p.add_argument("--bs", type=int, default=32)
p.add_argument("--lr", type=float, default=1e-3)
p.add_argument("--seed", type=int, default=3)
args = p.parse_args()
torch.manual_seed(args.seed)

scans = np.load("scans.npy")  # (n, 8, 8), values 0..16
split, target = {"train": [], "val": []}, {}
with open("annotations.csv") as f:
    for row in csv.DictReader(f):
        i = int(row["scan"])
        split[row["split"]].append(i)
        target[i] = int(row["digit"])


def tensors(ids):
    x = torch.tensor(scans[ids], dtype=torch.float32).unsqueeze(1) / 8.0 - 1.0
    y = torch.tensor([target[i] for i in ids])
    return x, y


xtr, ytr = tensors(split["train"])
xva, yva = tensors(split["val"])
print("train", tuple(xtr.shape), "val", tuple(xva.shape))

net = nn.Sequential(
    nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(),
    nn.Conv2d(24, 48, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(48 * 16, 64), nn.ReLU(),
    nn.Linear(64, 10),
)
opt = torch.optim.Adam(net.parameters(), lr=args.lr)

for ep in range(args.epochs):
    net.train()
    perm = torch.randperm(len(xtr))
    tot = hit = 0.0
    for i in range(0, len(perm), args.bs):
        b = perm[i:i + args.bs]
        out = net(xtr[b])
        loss = F.cross_entropy(out, ytr[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
        hit += (out.argmax(1) == ytr[b]).sum().item()
    net.eval()
    with torch.no_grad():
        out = net(xva)
        vl = F.cross_entropy(out, yva).item()
        va = (out.argmax(1) == yva).float().mean().item()
    print(f"epoch {ep:2d}  train loss {tot / len(xtr):.3f} acc {hit / len(xtr):.3f}   val loss {vl:.3f} acc {va:.3f}")
