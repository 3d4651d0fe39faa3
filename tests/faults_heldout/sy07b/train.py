"""Predicts the quality grade of a reactor batch from its process readings."""
import argparse

import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--csv", default="batches.csv")
ap.add_argument("--epochs", type=int, default=30)
ap.add_argument("--seed", type=int, default=0)
args = ap.parse_args()
torch.manual_seed(args.seed)

COLUMNS = [
    "temp_k",
    "pressure_pa",
    "flow_kg_h",
    "ph",
    "pump_rpm",
    "vibration_mm_s",
    "motor_a",
    "level_mm",
]
GRADES = {"A": 0, "B": 1, "C": 2}

table = pd.read_csv(args.csv)


def tensors(part):
    rows = table[table["part"] == part]
    x = torch.tensor(rows[COLUMNS].to_numpy(), dtype=torch.float32)
    y = torch.tensor(rows["grade"].map(GRADES).to_numpy())
    return x, y


x_train, y_train = tensors("train")
x_test, y_test = tensors("test")

net = nn.Sequential(
    nn.Linear(len(COLUMNS), 64),
    nn.Tanh(),
    nn.Linear(64, 64),
    nn.Tanh(),
    nn.Linear(64, len(GRADES)),
)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=3e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)

batch = 32
for epoch in range(1, args.epochs + 1):
    net.train()
    order = torch.randperm(len(x_train))
    epoch_loss = 0.0
    for idx in order.split(batch):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(idx)
    scheduler.step()

    if epoch % 5 == 0:
        net.eval()
        with torch.no_grad():
            logits = net(x_test)
            test_loss = F.cross_entropy(logits, y_test).item()
            test_acc = (logits.argmax(1) == y_test).float().mean().item()
        print(
            f"epoch {epoch:2d}: train loss {epoch_loss / len(x_train):.4f}, "
            f"test loss {test_loss:.4f}, test accuracy {test_acc:.3f}"
        )
