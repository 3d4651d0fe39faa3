import csv

import numpy as np
import torch
import torch.nn as nn

SEED, EPOCHS, BATCH, LR = 9, 25, 32, 2e-3
GESTURES = ["circle", "left", "right", "shake", "tap"]


def load_segments():
    acc = np.load("rec/segments.npy").astype(np.float32) / 64.0      # (n, time, axis), in g
    with open("rec/labels.csv", newline="") as fh:
        labels = [GESTURES.index(r["gesture"]) for r in csv.DictReader(fh)]
    labels = np.array(labels[:len(acc)])
    return acc, labels


class GestureNet(nn.Module):
    def __init__(self, n_axes, n_out):
        super().__init__()
        self.gru = nn.GRU(n_axes, 32, batch_first=True, bidirectional=True)
        self.cls = nn.Linear(64, n_out)

    def forward(self, x):
        o, _ = self.gru(x)
        return self.cls(o.mean(1))


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        logits = net(x)
    return nn.functional.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


torch.manual_seed(SEED)
acc, labels = load_segments()
perm = np.random.RandomState(SEED).permutation(len(acc))
cut = len(acc) * 3 // 4
tr, te = perm[:cut], perm[cut:]
mean, std = acc[tr].mean((0, 1)), acc[tr].std((0, 1))
x = torch.from_numpy((acc - mean) / std)
y = torch.from_numpy(labels).long()
xtr, ytr, xte, yte = x[tr], y[tr], x[te], y[te]
print("segments", tuple(acc.shape), "class counts", np.bincount(labels))

net = GestureNet(x.shape[-1], len(GESTURES))
opt = torch.optim.Adam(net.parameters(), lr=LR)
for epoch in range(EPOCHS):
    net.train()
    order = torch.randperm(len(xtr))
    total = 0.0
    for b in order.split(BATCH):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(xtr[b]), ytr[b])
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        total += loss.item() * len(b)
    tl, ta = accuracy(net, xte, yte)
    print(f"epoch {epoch + 1:2d}: train {total / len(xtr):.4f}, test {tl:.4f}, test acc {ta:.3f}")
