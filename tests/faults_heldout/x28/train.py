"""Rare-fault detection in a tabular stream: class weights, warm restarts, and a curriculum.

The curriculum ranks the training rows by how far a linear model gets with them (fitted on the training rows only)
and starts with the easy 40 % of every class; the pool grows to all rows by the first half of the run.
"""
import argparse

import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from torch import nn


def prepare(seed):
    x, y = make_classification(n_samples=4000, n_features=20, n_informative=9, n_redundant=3, n_classes=3, n_clusters_per_class=2,
                               weights=[0.78, 0.15, 0.07], class_sep=1.5, flip_y=0.0, random_state=seed)
    xtr, xte, ytr, yte = train_test_split(x, y, test_size=0.3, stratify=y, random_state=seed)
    mu, sd = xtr.mean(0), xtr.std(0)
    return (xtr - mu) / sd, (xte - mu) / sd, ytr, yte


def difficulty(x, y):
    linear = LogisticRegression(class_weight="balanced", max_iter=300).fit(x, y)
    return -linear.predict_log_proba(x)[np.arange(len(y)), y]


class Curriculum:
    def __init__(self, x, y, start=0.4):
        score = difficulty(x, y)
        self.ranked = [np.flatnonzero(y == c)[np.argsort(score[y == c])] for c in np.unique(y)]
        self.start = start

    def pool(self, progress):
        share = min(1.0, self.start + (1 - self.start) * 2 * progress)
        return torch.from_numpy(np.concatenate([r[:max(1, int(np.ceil(share * len(r))))] for r in self.ranked]))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=28)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=73)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    xtr, xte, ytr, yte = prepare(args.seed)
    curriculum = Curriculum(xtr, ytr)
    x, xe = torch.tensor(xtr, dtype=torch.float32), torch.tensor(xte, dtype=torch.float32)
    y = torch.tensor(ytr)
    freq = torch.bincount(y).float() / len(y)
    weight = (1 / freq).sqrt()
    criterion = nn.CrossEntropyLoss(weight=weight / weight.mean())

    net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=4, T_mult=2, eta_min=1e-5)   # 4 + 8 + 16 epochs
    for epoch in range(args.epochs):
        net.train()
        pool = curriculum.pool(epoch / args.epochs)
        pool = pool[torch.randperm(len(pool))]
        parts, total = pool.split(args.batch), 0.0
        for k, idx in enumerate(parts):
            loss = criterion(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step(epoch + (k + 1) / len(parts))
            total += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            pred = net(xe).argmax(1).numpy()
        print(f"epoch {epoch:2d}  rows {len(pool):4d}  loss {total / len(pool):.4f}  balanced accuracy {balanced_accuracy_score(yte, pred):.4f}")


if __name__ == "__main__":
    main()
