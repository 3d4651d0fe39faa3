"""Operating-point recognition from short accelerometer windows (12 points of the test stand)."""
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = Path(__file__).parent
SEED = int(os.environ.get("SEED", 5))
torch.manual_seed(SEED)
np.random.seed(SEED)

EPOCHS = 24
BATCH = 32

raw = np.load(HERE / "windows.npz")
x_train = torch.from_numpy(raw["x_train"].astype(np.float32)) / 32.0
y_train = torch.from_numpy(raw["y_train"].astype(np.int64))
x_valid = torch.from_numpy(raw["x_valid"].astype(np.float32)) / 32.0
y_valid = torch.from_numpy(raw["y_valid"].astype(np.int64))
n_classes = int(y_train.max()) + 1
print("train", tuple(x_train.shape), "valid", tuple(x_valid.shape), "classes", n_classes)


class Block(nn.Module):
    def __init__(self, cin, cout, k):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, k, padding=k // 2, bias=False)
        self.norm = nn.BatchNorm1d(cout)

    def forward(self, x):
        return F.max_pool1d(F.gelu(self.norm(self.conv(x))), 2)


net = nn.Sequential(
    Block(1, 16, 7),
    Block(16, 32, 5),
    Block(32, 48, 3),
    nn.AdaptiveAvgPool1d(2),
    nn.Flatten(),
    nn.Dropout(0.1),
    nn.Linear(96, n_classes),
)

opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)


def top1(x, y):
    net.eval()
    with torch.no_grad():
        out = net(x.unsqueeze(1))
        return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


t0 = time.time()
for epoch in range(EPOCHS):
    net.train()
    order = torch.randperm(len(x_train))
    total = 0.0
    for i in range(0, len(order), BATCH):
        idx = order[i:i + BATCH]
        xb = x_train[idx].unsqueeze(1)
        # small random circular shift, the trigger of the recorder is not exact
        xb = torch.roll(xb, int(np.random.randint(-3, 4)), dims=-1)
        loss = F.cross_entropy(net(xb), y_train[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    sched.step()
    vl, va = top1(x_valid, y_valid)
    print(f"epoch {epoch + 1:2d}  train loss {total / len(x_train):.4f}  valid loss {vl:.4f}  valid acc {va:.3f}")

print(f"train acc {top1(x_train, y_train)[1]:.3f}  valid acc {top1(x_valid, y_valid)[1]:.3f}  ({time.time() - t0:.1f}s)")
