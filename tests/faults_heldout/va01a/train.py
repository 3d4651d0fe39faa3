"""Pump condition classifier.

Reads the historian export (one row per 10-minute window) and trains an MLP that
predicts the condition label given by the maintenance team.
"""
import csv
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

HERE = Path(__file__).resolve().parent
FEATURES = ["p_suction", "p_discharge", "flow", "temp_bearing", "speed", "power", "vib_de", "vib_nde"]
CLASSES = ["normal", "cavitation", "misalignment", "wear"]

SEED = 11
EPOCHS = 18
BATCH = 64
LR = 0.02


def load(path):
    feats, labels = [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            feats.append([float(row[c]) for c in FEATURES])
            labels.append(CLASSES.index(row["condition"]))
    return torch.tensor(feats, dtype=torch.float32), torch.tensor(labels)


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)

    x, y = load(HERE / "windows.csv")
    perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(SEED))
    n_val = len(x) // 5
    val_idx, tr_idx = perm[:n_val], perm[n_val:]
    x_tr, y_tr, x_va, y_va = x[tr_idx], y[tr_idx], x[val_idx], y[val_idx]

    net = nn.Sequential(
        nn.Linear(len(FEATURES), 48), nn.ReLU(),
        nn.Linear(48, 32), nn.ReLU(),
        nn.Linear(32, len(CLASSES)),
    )
    opt = torch.optim.SGD(net.parameters(), lr=LR, momentum=0.9, weight_decay=1e-4)
    crit = nn.CrossEntropyLoss()

    for epoch in range(1, EPOCHS + 1):
        net.train()
        order = torch.randperm(len(x_tr))
        total = 0.0
        for i in range(0, len(order), BATCH):
            idx = order[i:i + BATCH]
            loss = crit(net(x_tr[idx]), y_tr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            logits = net(x_va)
            val_loss = crit(logits, y_va).item()
            acc = (logits.argmax(1) == y_va).float().mean().item()
        if epoch % 3 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}  train {total / len(x_tr):.4f}  val {val_loss:.4f}  acc {acc:.3f}")

    with torch.no_grad():
        pred = net(x_va).argmax(1)
    for k, name in enumerate(CLASSES):
        m = y_va == k
        print(f"{name:13s} recall {(pred[m] == k).float().mean().item():.3f}  n={int(m.sum())}")


if __name__ == "__main__":
    main()
