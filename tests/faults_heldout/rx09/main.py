import argparse
import json

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from cells import PatchDataset, PatchNet, load_split


def validate(net, loader):
    loss, right = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            z = net(x)
            loss += F.cross_entropy(z, y, reduction="sum").item()
            right += (z.argmax(1) == y).sum().item()
    n = len(loader.dataset)
    return loss / n, right / n


def train(net, train_loader, val_loader, epochs, lr, decay):
    optim = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9, weight_decay=decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, epochs)
    log = []
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for x, y in train_loader:
            loss = F.cross_entropy(net(x), y)
            optim.zero_grad()
            loss.backward()
            optim.step()
            total += loss.item() * len(y)
        sched.step()
        val_loss, val_acc = validate(net, val_loader)
        log.append({"epoch": epoch, "train": total / len(train_loader.dataset), "val": val_loss, "acc": val_acc})
        print("epoch {epoch:2d}  train {train:.3f}  val {val:.3f}  acc {acc:.3f}".format(**log[-1]))
    return log


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--patches", default="patches.npz")
    p.add_argument("--epochs", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--decay", type=float, default=5e-4)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--history", default="")
    a = p.parse_args()

    torch.manual_seed(a.seed)
    xt, yt = load_split(a.patches, "train")
    xv, yv = load_split(a.patches, "val")
    mean, std = xt.mean(), xt.std()
    train_loader = DataLoader(PatchDataset(xt, yt, mean, std, flip=True), batch_size=a.batch, shuffle=True, drop_last=True)
    val_loader = DataLoader(PatchDataset(xv, yv, mean, std), batch_size=50)

    net = PatchNet(int(yt.max()) + 1)
    log = train(net, train_loader, val_loader, a.epochs, a.lr, a.decay)
    if a.history:
        json.dump(log, open(a.history, "w"))


if __name__ == "__main__":
    main()
