"""Robust digit recogniser for the meter reading app."""
import argparse

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional as F

from attack import pgd

p = argparse.ArgumentParser()
p.add_argument("--eps", type=float, default=0.18)
p.add_argument("--epochs", type=int, default=18)
p.add_argument("--lr", type=float, default=2e-3)
p.add_argument("--seed", type=int, default=0)
a = p.parse_args()

torch.manual_seed(a.seed)
X, y = load_digits(return_X_y=True)
X = (X / 16.0).astype("float32").reshape(-1, 1, 8, 8)
xtr, xte, ytr, yte = train_test_split(X, y, test_size=0.25, stratify=y, random_state=4)
xtr, xte, ytr, yte = map(torch.as_tensor, (xtr, xte, ytr, yte))

net = nn.Sequential(
    nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(),
    nn.Conv2d(24, 48, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(48 * 16, 96), nn.ReLU(), nn.Linear(96, 10),
)
opt = torch.optim.Adam(net.parameters(), lr=a.lr)
per_epoch = -(-len(xtr) // 64)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * per_epoch)


def accuracy(x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


for epoch in range(1, a.epochs + 1):
    net.train()
    seen = right = total = 0
    for idx in torch.randperm(len(xtr)).split(64):
        xb, yb = xtr[idx], ytr[idx]
        adv = pgd(net, xb, yb, a.eps, steps=5, alpha=a.eps / 3)
        logits = net(adv)
        loss = F.cross_entropy(logits, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        seen += len(yb)
        right += (logits.argmax(1) == yb).sum().item()
        total += loss.item() * len(yb)
    print(f"epoch {epoch:2d} loss {total / seen:.3f} train acc under attack {right / seen:.3f} "
          f"test acc {accuracy(xte, yte):.3f}")

robust = accuracy(pgd(net, xte, yte, a.eps, steps=20, alpha=a.eps / 8), yte)
print(f"test: clean {accuracy(xte, yte):.3f}, under attack (eps {a.eps}) {robust:.3f}")
