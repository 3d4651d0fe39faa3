"""Swipe direction from four capacitive electrodes (40 samples per gesture)."""
import argparse

import numpy as np
import torch
from torch import nn

ELECTRODES, STEPS = 4, 40
NAMES = ["left", "right", "zig", "zag", "fork_up", "fork_down"]

ap = argparse.ArgumentParser()
ap.add_argument("--data", default="swipes.npz")
ap.add_argument("--epochs", type=int, default=40)
ap.add_argument("--lr", type=float, default=2e-3)
ap.add_argument("--batch", type=int, default=32)
ap.add_argument("--seed", type=int, default=1)
args = ap.parse_args()
torch.manual_seed(args.seed)

raw = np.load(args.data)
x = torch.from_numpy(raw["signal"].astype(np.float32)).reshape(-1, ELECTRODES, STEPS)
y = torch.from_numpy(raw["gesture"].astype(np.int64))

perm = torch.from_numpy(np.random.RandomState(7).permutation(len(x)))
test, train = perm[:300], perm[300:]
x = (x - x[train].mean()) / x[train].std()
x_tr, y_tr, x_te, y_te = x[train], y[train], x[test], y[test]

net = nn.Sequential(
    nn.Conv1d(ELECTRODES, 16, 7, padding=3), nn.BatchNorm1d(16), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(16, 24, 5, padding=2), nn.BatchNorm1d(24), nn.ReLU(),
    nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Dropout(0.1),
    nn.Linear(24, len(NAMES)),
)
opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-3)
steps = args.epochs * (len(x_tr) // args.batch)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(1, args.epochs + 1):
    net.train()
    order = torch.randperm(len(x_tr))
    losses = []
    for i in range(len(x_tr) // args.batch):
        idx = order[i * args.batch:(i + 1) * args.batch]
        loss = loss_fn(net(x_tr[idx]), y_tr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.item())
    if epoch % 2 == 0:
        net.eval()
        with torch.no_grad():
            out = net(x_te)
            te_loss = loss_fn(out, y_te).item()
            acc = (out.argmax(1) == y_te).float().mean().item()
        print(f"epoch {epoch:3d}  train {np.mean(losses):.3f}  test {te_loss:.3f}  acc {acc:.3f}")

with torch.no_grad():
    pred = net(x_te).argmax(1)
for k, name in enumerate(NAMES):
    print(f"{name:>9}: {(pred[y_te == k] == k).float().mean().item():.3f}")
