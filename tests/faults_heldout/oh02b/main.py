import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from kws.features import LogMelSet
from kws.model import KeywordNet


def run_eval(net, loader, crit):
    net.eval()
    tot = hit = n = 0
    with torch.no_grad():
        for x, y in loader:
            o = net(x)
            tot += crit(o, y).item() * len(y)
            hit += (o.argmax(1) == y).sum().item()
            n += len(y)
    return tot / n, hit / n


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="feats/train.npz")
    ap.add_argument("--dev", default="feats/dev.npz")
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--bs", type=int, default=32)
    a = ap.parse_args()
    torch.manual_seed(3)

    train = LogMelSet(a.train, jitter=1)
    dev = LogMelSet(a.dev, stats=train.stats)
    tl = DataLoader(train, a.bs, shuffle=True, drop_last=True)
    dl = DataLoader(dev, 128)
    net = KeywordNet(train.x.shape[2], int(train.y.max()) + 1)
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    for ep in range(1, a.epochs + 1):
        net.train()
        s = 0.0
        for x, y in tl:
            loss = crit(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item()
        sched.step()
        dev_loss, dev_acc = run_eval(net, dl, crit)
        print(f"[{ep:02d}] train={s / len(tl):.3f} dev={dev_loss:.3f} acc={dev_acc:.3f}")
