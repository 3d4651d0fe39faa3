import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from crops import WheelCrops
from model import MeterNet


def evaluate(net, loader):
    net.eval()
    loss = hits = n = 0
    with torch.no_grad():
        for img, y in loader:
            out = net(img)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hits / n


def run(args):
    torch.manual_seed(args.seed)
    train = DataLoader(WheelCrops(args.data, "train"), batch_size=64, shuffle=True, drop_last=True)
    val = DataLoader(WheelCrops(args.data, "val"), batch_size=256)
    net = MeterNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.08, total_steps=args.epochs * len(train))
    for epoch in range(args.epochs):
        net.train()
        seen = total = 0.0
        for img, y in train:
            loss = F.cross_entropy(net(img), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(y)
            seen += len(y)
        vl, va = evaluate(net, val)
        print(f"[{epoch:02d}] train_loss={total / seen:.4f} val_loss={vl:.4f} val_acc={va:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="wheels.npz")
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--seed", type=int, default=11)
    run(ap.parse_args())
