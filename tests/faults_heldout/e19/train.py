"""Imbalanced digits (odd classes are rarer) with class-balanced epochs."""
import argparse
import logging

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.metrics import balanced_accuracy_score
from torch import nn
from torch.utils.data import DataLoader, Dataset

from sampling import BalancedSampler

log = logging.getLogger("digits")


class Digits(Dataset):
    def __init__(self, images, labels, train):
        self.x = torch.from_numpy(images).float().unsqueeze(1) / 16
        self.y = torch.from_numpy(labels)
        self.train = train

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.train:
            x = x + 0.05 * torch.randn_like(x)
        return x, self.y[i]


def make_splits(seed):
    d = load_digits()
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(d.target))
    held, rest = order[:450], order[450:]
    keep = [i for i in rest if d.target[i] % 2 == 0 or rng.random() < 0.5]
    return Digits(d.images[keep], d.target[keep], True), Digits(d.images[held], d.target[held], False)


def cnn():
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
        nn.Conv2d(24, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(), nn.Linear(64, 10))


@torch.no_grad()
def validate(net, loader):
    net.eval()
    pred, true, loss = [], [], 0.0
    for x, y in loader:
        out = net(x)
        loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
        pred.append(out.argmax(1))
        true.append(y)
    true = torch.cat(true)
    return loss / len(true), balanced_accuracy_score(true, torch.cat(pred))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--per-class", type=int, default=12)
    ap.add_argument("--batch-size", type=int, default=40)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--seed", type=int, default=17)
    a = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(a.seed)
    train, held = make_splits(a.seed)
    loader = DataLoader(train, batch_size=a.batch_size, sampler=BalancedSampler(train.y.numpy(), a.per_class, a.seed))
    held_loader = DataLoader(held, batch_size=150)
    net = cnn()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
    log.info("%d training images, class counts %s", len(train), np.bincount(train.y.numpy()).tolist())
    for ep in range(1, a.epochs + 1):
        net.train()
        tot = 0.0
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        if ep % 5 == 0:
            vl, acc = validate(net, held_loader)
            log.info("epoch %d train %.4f held-out loss %.4f balanced accuracy %.4f", ep, tot / len(loader), vl, acc)


if __name__ == "__main__":
    main()
