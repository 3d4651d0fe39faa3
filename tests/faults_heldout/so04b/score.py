"""Credit scorecard: fits a small network on closed loans and scores the applications of the last quarter.

history.csv       closed loans, as found in the warehouse today
applications.csv  last quarter's requests as they looked on the day of application (outcome joined later)
"""
import csv

import numpy as np
import torch
import yaml
from sklearn.metrics import roc_auc_score
from torch import nn

EPOCHS, BATCH, LR = 14, 64, 2e-3
spec = yaml.safe_load(open("columns.yaml"))


def read(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    x = np.array([[float(r[c]) for c in spec["numeric"]] for r in rows], dtype=np.float32)
    y = np.array([float(r[spec["label"]]) for r in rows], dtype=np.float32)
    return x, y


def main():
    torch.manual_seed(0)
    x, y = read("history.csv")
    order = np.random.default_rng(0).permutation(len(x))
    cut = int(len(x) * 0.8)
    tr, va = order[:cut], order[cut:]
    mean, std = x[tr].mean(0), x[tr].std(0)

    def prep(a):
        return torch.from_numpy((a - mean) / std)

    xt, yt, xv, yv = prep(x[tr]), torch.from_numpy(y[tr]), prep(x[va]), torch.from_numpy(y[va])
    net = nn.Sequential(nn.Linear(xt.size(1), 32), nn.ReLU(), nn.Dropout(0.2),
                        nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))
    loss_fn = nn.BCEWithLogitsLoss()
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=1e-2)

    def auc(a, b):
        net.eval()
        with torch.no_grad():
            z = net(a).squeeze(1)
        return loss_fn(z, b).item(), roc_auc_score(b.numpy(), z.numpy())

    for epoch in range(1, EPOCHS + 1):
        net.train()
        running = []
        for idx in torch.randperm(len(xt)).split(BATCH):
            loss = loss_fn(net(xt[idx]).squeeze(1), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running.append(loss.item())
        vl, va_auc = auc(xv, yv)
        print(f"epoch {epoch:2d}  train {np.mean(running):.4f}  valid {vl:.4f}  valid auc {va_auc:.3f}")

    xa, ya = read("applications.csv")
    al, a_auc = auc(prep(xa), torch.from_numpy(ya))
    print(f"last quarter's applications: loss {al:.4f}  auc {a_auc:.3f}")


main()
