"""Small grid search by 5-fold cross validation, then one refit, on wdbc.csv."""
import csv
import itertools
import time

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, train_test_split
from torch import nn

GRID = {"hidden": [8, 32], "lr": [1e-3, 5e-3], "decay": [1e-3]}
FOLDS = 5
EPOCHS = 25


def read(path):
    with open(path) as fh:
        rows = list(csv.reader(fh))
    X = np.array([[float(v) for v in r[:-1]] for r in rows[1:]], dtype=np.float32)
    y = np.array([r[-1] == "M" for r in rows[1:]], dtype=np.float32)
    return X, y


class Standardise:
    def fit(self, X):
        self.m, self.s = X.mean(0), X.std(0) + 1e-8
        return self

    def __call__(self, X):
        return torch.from_numpy((X - self.m) / self.s)


def fit_one(X, y, Xv, yv, hp, seed, log=None):
    torch.manual_seed(seed)
    std = Standardise().fit(X)
    xt, yt, xv = std(X), torch.from_numpy(y), std(Xv)
    net = nn.Sequential(nn.Linear(X.shape[1], hp["hidden"]), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hp["hidden"], 1))
    crit = nn.BCEWithLogitsLoss(pos_weight=(yt == 0).sum() / (yt == 1).sum())
    opt = torch.optim.AdamW(net.parameters(), lr=hp["lr"], weight_decay=hp["decay"])
    for ep in range(EPOCHS):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(xt)).split(32):
            opt.zero_grad()
            loss = crit(net(xt[idx]).squeeze(1), yt[idx])
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if log and (ep + 1) % 5 == 0:
            log(f"    epoch {ep + 1:2d} loss {total / len(xt):.4f}")
    net.eval()
    with torch.no_grad():
        prob = net(xv).squeeze(1).sigmoid().numpy()
    return net, roc_auc_score(yv, prob), ((prob > 0.5) == yv).mean()


def main():
    X, y = read("wdbc.csv")
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)
    t0, board = time.time(), []
    for combo in itertools.product(*GRID.values()):
        hp = dict(zip(GRID, combo))
        aucs, accs = [], []
        for k, (a, b) in enumerate(StratifiedKFold(FOLDS, shuffle=True, random_state=1).split(X, y)):
            _, auc, acc = fit_one(X[a], y[a], X[b], y[b], hp, seed=100 + k)
            aucs.append(auc)
            accs.append(acc)
        board.append((np.mean(aucs), hp))
        print(f"{hp}  auc {np.mean(aucs):.4f} +- {np.std(aucs):.4f}  acc {np.mean(accs):.4f}  [{time.time() - t0:.1f}s]")
    best = max(board, key=lambda r: r[0])[1]
    print("refit with", best)
    _, auc, acc = fit_one(X, y, X_test, y_test, best, seed=7, log=print)
    print(f"untouched test part: auc {auc:.4f} acc {acc:.4f}")


if __name__ == "__main__":
    main()
