"""Digit reader for the meter-photo project: small conv net on 8x8 crops."""
import csv
import random
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = Path(__file__).parent
SEED = 11
EPOCHS = 14
BATCH = 32

random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)
torch.set_num_threads(1)


def load_part(name):
    blob = np.load(HERE / f"{name}.npz")
    crops, ids = blob["crops"], [str(i) for i in blob["crop_id"]]
    with open(HERE / f"{name}_labels.csv", newline="") as fh:
        label_of = {row["crop_id"]: int(row["digit"]) for row in csv.DictReader(fh)}
    keep = [k for k, i in enumerate(ids) if i in label_of]
    x = torch.from_numpy(crops[keep]).float().unsqueeze(1) / 16.0
    y = torch.tensor([label_of[ids[k]] for k in keep])
    return x, y


x_train, y_train = load_part("train")
x_val, y_val = load_part("val")
mean, std = x_train.mean(), x_train.std()
x_train, x_val = (x_train - mean) / std, (x_val - mean) / std
print(f"{len(x_train)} training crops, {len(x_val)} validation crops")

net = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
    nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Dropout(0.2),
    nn.Linear(32 * 4 * 4, 10),
)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS)

for epoch in range(1, EPOCHS + 1):
    net.train()
    order = torch.randperm(len(x_train))
    running, hits = 0.0, 0
    for start in range(0, len(order), BATCH):
        idx = order[start:start + BATCH]
        logits = net(x_train[idx])
        loss = F.cross_entropy(logits, y_train[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item() * len(idx)
        hits += (logits.argmax(1) == y_train[idx]).sum().item()
    sched.step()

    net.eval()
    with torch.no_grad():
        out = net(x_val)
        val_loss = F.cross_entropy(out, y_val).item()
        val_acc = (out.argmax(1) == y_val).float().mean().item()
    print(f"epoch {epoch:2d}  loss {running / len(order):.4f}  acc {hits / len(order):.3f}"
          f"  |  val loss {val_loss:.4f}  val acc {val_acc:.3f}")
