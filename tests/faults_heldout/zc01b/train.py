import argparse
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from vib.data import RigRecordings
from vib.net import SnapshotNet


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    loss = hits = n = 0
    for x, y in loader:
        out = net(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default=str(Path(__file__).parent / "rig"))
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--bs", type=int, default=32)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--wd", type=float, default=1e-2)
    args = ap.parse_args()

    torch.manual_seed(5)
    train = DataLoader(RigRecordings(args.root, "train"), batch_size=args.bs, shuffle=True)
    valid = DataLoader(RigRecordings(args.root, "valid"), batch_size=128)
    net = SnapshotNet()
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=args.wd)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)

    for epoch in range(1, args.epochs + 1):
        net.train()
        running = 0.0
        for x, y in train:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(y)
        sched.step()
        vl, va = evaluate(net, valid)
        print(f"epoch {epoch:2d}  train {running / len(train.dataset):.4f}  valid {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
