"""Five-fold cross-validation of a churn classifier (7 % positives)."""
import csv
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, f1_score
from sklearn.model_selection import StratifiedKFold

SEED = 31
NUMERIC = ["tenure", "spend", "calls", "visits", "age", "discount", "balance", "usage_am", "usage_pm", "distance"]


def read(path):
    rows = list(csv.DictReader(open(path)))
    x = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    return x, np.array([int(r["churn"]) for r in rows])


def oversample(x, y, rng):
    pos, neg = np.where(y == 1)[0], np.where(y == 0)[0]
    extra = rng.choice(pos, size=len(neg) - len(pos), replace=True)
    idx = rng.permutation(np.concatenate([neg, pos, extra]))
    return x[idx], y[idx]


class Net(nn.Module):
    def __init__(self, d, hidden=128):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def fit_fold(xt, yt, xv, yv, fold, epochs=15):
    torch.manual_seed(SEED + fold)
    mu, sd = xt.mean(0), xt.std(0)
    xt, xv = (torch.from_numpy((a - mu) / sd) for a in (xt, xv))
    target = torch.from_numpy(yt).float()
    net = Net(xt.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    bce = nn.BCEWithLogitsLoss()
    for _ in range(epochs):
        net.train()
        total = 0.0
        batches = torch.randperm(len(xt)).split(64)
        for b in batches:
            loss = bce(net(xt[b]), target[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
    net.eval()
    with torch.no_grad():
        logits = net(xv)
    val = bce(logits, torch.from_numpy(yv).float()).item()
    return total / len(batches), val, f1_score(yv, logits.numpy() > 0), average_precision_score(yv, logits.numpy())


def main():
    rng = np.random.default_rng(SEED)
    x, y = read(Path(__file__).parent / "customers.csv")
    x, y = oversample(x, y, rng)
    print(f"{len(y)} rows, positive share {y.mean():.2f}")
    scores = []
    for fold, (tr, va) in enumerate(StratifiedKFold(5, shuffle=True, random_state=SEED).split(x, y)):
        train_loss, val_loss, f1, ap = fit_fold(x[tr], y[tr], x[va], y[va], fold)
        scores.append((f1, ap))
        print(f"fold {fold}: train loss {train_loss:.4f} val loss {val_loss:.4f} f1 {f1:.3f} average precision {ap:.3f}")
    f1, ap = np.mean(scores, 0)
    print(f"cross-validated f1 {f1:.3f}, average precision {ap:.3f}")


if __name__ == "__main__":
    main()
