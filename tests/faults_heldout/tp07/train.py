import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from motions import NAMES, MotionSet, collect

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 4
torch.manual_seed(SEED)

xtr, ytr = collect(1800, SEED)
xva, yva = collect(600, SEED + 77)
m, s = xtr.mean((0, 2), keepdims=True), xtr.std((0, 2), keepdims=True)
train = DataLoader(MotionSet((xtr - m) / s, ytr, train=True, seed=SEED), batch_size=32, shuffle=True)
valid = DataLoader(MotionSet((xva - m) / s, yva), batch_size=200)


def block(i, o, k):
    return nn.Sequential(nn.Conv1d(i, o, k, padding=k // 2), nn.BatchNorm1d(o), nn.ReLU(), nn.MaxPool1d(2))


class MotionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(block(3, 16, 7), block(16, 24, 5), block(24, 32, 3))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * 8, len(NAMES)))

    def forward(self, x):
        return self.head(self.features(x))


net = MotionNet()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
epochs = 12
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(train))
ce = nn.CrossEntropyLoss()
for ep in range(1, epochs + 1):
    net.train()
    tot = hit = 0.0
    for x, y in train:
        out = net(x)
        loss = ce(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item() * len(y)
        hit += (out.argmax(1) == y).sum().item()
    net.eval()
    vloss, conf = 0.0, np.zeros((len(NAMES), len(NAMES)), int)
    with torch.no_grad():
        for x, y in valid:
            out = net(x)
            vloss += ce(out, y).item() * len(y)
            np.add.at(conf, (y.numpy(), out.argmax(1).numpy()), 1)
    print(f"epoch {ep:2d}: train loss {tot / len(ytr):.3f} acc {hit / len(ytr):.3f} | "
          f"val loss {vloss / len(yva):.3f} acc {np.trace(conf) / conf.sum():.3f}")
for n, row in zip(NAMES, conf):
    print(f"{n:10s} recall {row[NAMES.index(n)] / row.sum():.2f}")
