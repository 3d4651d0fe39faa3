"""
Will a customer open a term deposit? MLP on the campaign table.

    python train.py [table.csv]
"""
import csv
import random
import sys
from pathlib import Path

import torch
from torch import nn

SEED = 21
TARGET = "subscribed"
HELD_OUT = 400


def read_table(path):
    with open(path) as fh:
        reader = csv.reader(fh)
        head = next(reader)
        rows = [[float(v) for v in r] for r in reader]
    random.Random(SEED).shuffle(rows)
    t = head.index(TARGET)
    table = torch.tensor(rows)
    keep = [i for i in range(len(head)) if i != t]
    return table[:, keep], table[:, t], [head[i] for i in keep]


def auc(score, label):
    pos, neg = score[label == 1], score[label == 0]
    diff = pos[:, None] - neg[None, :]
    return ((diff > 0).float() + 0.5 * (diff == 0).float()).mean().item()


def make_model(n_in):
    return nn.Sequential(
        nn.Linear(n_in, 48),
        nn.ReLU(),
        nn.Linear(48, 24),
        nn.ReLU(),
        nn.Linear(24, 1),
    )


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "campaign.csv"
    X, y, names = read_table(path)
    Xtr, ytr, Xva, yva = X[HELD_OUT:], y[HELD_OUT:], X[:HELD_OUT], y[:HELD_OUT]
    print(f"{len(names)} features, {len(ytr)} train rows, {len(yva)} held out, positive rate {ytr.mean():.2f}")

    torch.manual_seed(SEED)
    model = make_model(len(names))
    bce = nn.BCEWithLogitsLoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True, weight_decay=1e-3)

    for epoch in range(24):
        model.train()
        for idx in torch.randperm(len(ytr)).split(32):
            opt.zero_grad()
            loss = bce(model(Xtr[idx]).squeeze(1), ytr[idx])
            loss.backward()
            opt.step()
        if (epoch + 1) % 3 == 0:
            model.eval()
            with torch.no_grad():
                tr = bce(model(Xtr).squeeze(1), ytr).item()
                s = model(Xva).squeeze(1)
                va = bce(s, yva).item()
                acc = ((s > 0).float() == yva).float().mean().item()
            print(f"{epoch + 1:3d}  train {tr:.4f}  held out {va:.4f}  acc {acc:.3f}  auc {auc(s, yva):.3f}")


if __name__ == "__main__":
    main()
