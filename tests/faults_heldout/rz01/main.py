import argparse

import torch
import torch.nn.functional as F

from data import loaders
from model import ActivityNet


@torch.no_grad()
def score(net, loader):
    net.eval()
    loss = hits = n = 0
    for x, y in loader:
        z = net(x)
        loss += F.cross_entropy(z, y, reduction="sum").item()
        hits += (z.argmax(-1) == y).sum().item()
        n += len(y)
    net.train()
    return loss / n, hits / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="windows.npz")
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--bs", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=7)
    a = ap.parse_args()

    torch.manual_seed(a.seed)
    train, test = loaders(a.data, a.bs, a.seed)
    net = ActivityNet()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(train))

    for epoch in range(1, a.epochs + 1):
        total = 0.0
        for x, y in train:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            sched.step()
            total += loss.item()
        if epoch % 4 == 0 or epoch == a.epochs:
            vl, va = score(net, test)
            print(f"epoch {epoch:3d}  train {total / len(train):.4f}  test {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
