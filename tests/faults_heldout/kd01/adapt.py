"""Adapt the scanner-A digit reader to camera B.

Only the low-rank adapters are trained; the shipped weights and the BatchNorm
statistics stay as they are so that one file can serve both devices.
"""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

from scanner_net import LowRank, ScannerNet

ap = argparse.ArgumentParser()
ap.add_argument("--ckpt", default="scanner_v1.pt")
ap.add_argument("--data", default="camera_b.npz")
ap.add_argument("--epochs", type=int, default=40)
ap.add_argument("--lr", type=float, default=5e-4)
ap.add_argument("--rank", type=int, default=8)
ap.add_argument("--seed", type=int, default=11)
args = ap.parse_args()

torch.manual_seed(args.seed)


def load_model():
    net = ScannerNet()
    ck = torch.load(args.ckpt, weights_only=True)
    net.load_state_dict(ck["model"])
    for p in net.parameters():
        p.requires_grad_(False)
    net.fc1 = LowRank(net.fc1, args.rank)
    net.fc2 = LowRank(net.fc2, args.rank)
    return net


def load_data():
    z = np.load(args.data)
    x = torch.from_numpy(z["images"].astype(np.float32))[:, None]
    y = torch.from_numpy(z["labels"])
    full = TensorDataset(x, y)
    tr, va = random_split(full, [600, len(full) - 600], generator=torch.Generator().manual_seed(args.seed))
    # camera B has its own exposure, so its own mean / std (from the training part)
    mean, std = x[tr.indices].mean(), x[tr.indices].std()
    norm = lambda ds: TensorDataset((x[ds.indices] - mean) / std, y[ds.indices])
    return norm(tr), norm(va)


@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    hit = n = loss = 0
    for x, y in loader:
        out = net(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hit += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hit / n


train_set, val_set = load_data()
train_loader = DataLoader(train_set, batch_size=25, shuffle=True)
val_loader = DataLoader(val_set, batch_size=200)

net = load_model()
trainable = [p for p in net.parameters() if p.requires_grad]
print("trainable %d of %d" % (sum(p.numel() for p in trainable), sum(p.numel() for p in net.parameters())))
opt = torch.optim.AdamW(trainable, lr=args.lr, weight_decay=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)

print("shipped weights on camera B: loss %.3f acc %.3f" % accuracy(net, val_loader))
for epoch in range(1, args.epochs + 1):
    net.train()
    net.features.eval()  # keep scanner-A BatchNorm statistics
    total = 0.0
    for x, y in train_loader:
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
    sched.step()
    if epoch % 4 == 0:
        vl, va = accuracy(net, val_loader)
        print(f"epoch {epoch:2d} train {total / len(train_set):.4f} val {vl:.4f} acc {va:.3f}")
