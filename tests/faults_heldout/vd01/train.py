import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset

SEED = 7
EPOCHS = 14
BATCH = 64

random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)


class Digits(Dataset):
    def __init__(self, images, labels, mean, std, shift=0):
        self.images = (torch.tensor(images, dtype=torch.float32).unsqueeze(1) - mean) / std
        self.labels = torch.tensor(labels, dtype=torch.long)
        self.shift = shift
        self.fill = -mean / std

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = self.images[i]
        if self.shift:
            dx = random.randint(-self.shift, self.shift)
            padded = F.pad(x, (1, 1, 0, 0), value=self.fill)
            x = padded[:, :, 1 + dx:9 + dx]
        return x, self.labels[i]


raw = load_digits()
x_tr, x_te, y_tr, y_te = train_test_split(
    raw.images, raw.target, test_size=0.25, stratify=raw.target, random_state=SEED)
mean, std = float(x_tr.mean()), float(x_tr.std())
train_dl = DataLoader(Digits(x_tr, y_tr, mean, std, shift=1), batch_size=BATCH, shuffle=True, drop_last=True)
test_dl = DataLoader(Digits(x_te, y_te, mean, std), batch_size=256)


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


net = nn.Sequential(
    block(1, 24),
    block(24, 24),
    nn.MaxPool2d(2),
    block(24, 48),
    block(48, 48),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(48, 10),
)
print(f"parameters: {sum(p.numel() for p in net.parameters())}")

opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9, nesterov=True, weight_decay=5e-4)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.08, total_steps=EPOCHS * len(train_dl), pct_start=0.25)
loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)

for epoch in range(EPOCHS):
    net.train()
    total, n = 0.0, 0
    for xb, yb in train_dl:
        opt.zero_grad(set_to_none=True)
        loss = loss_fn(net(xb), yb)
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(yb)
        n += len(yb)

    net.eval()
    hits, te_loss = 0, 0.0
    with torch.no_grad():
        for xb, yb in test_dl:
            out = net(xb)
            te_loss += F.cross_entropy(out, yb, reduction="sum").item()
            hits += (out.argmax(1) == yb).sum().item()
    m = len(y_te)
    print(f"epoch {epoch + 1:2d}  lr {sched.get_last_lr()[0]:.4f}  train {total / n:.4f}  "
          f"test {te_loss / m:.4f}  acc {hits / m:.4f}")
