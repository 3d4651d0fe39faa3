"""Card fraud scoring. About 2.5 % of the transactions are fraudulent."""
from __future__ import annotations

import argparse
import os

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

LOG_COLUMNS = {"amount", "km_from_home", "account_days", "amount_ratio"}


def load(path):
    z = np.load(path)
    X, y = z["X"].astype(np.float64), z["y"].astype(np.float32)
    columns = [str(c) for c in z["columns"]]
    for j, c in enumerate(columns):
        if c in LOG_COLUMNS:
            X[:, j] = np.log1p(X[:, j])
    hour = X[:, columns.index("hour")] * 2 * np.pi / 24
    keep = [j for j, c in enumerate(columns) if c != "hour"]
    return np.column_stack([X[:, keep], np.sin(hour), np.cos(hour)]), y


def split(n, rng):
    p = rng.permutation(n)
    a, b = int(0.6 * n), int(0.8 * n)
    return p[:a], p[a:b], p[b:]


class ScoreNet(nn.Module):
    def __init__(self, d, hidden=(48, 24), p=0.2):
        super().__init__()
        layers, last = [], d
        for h in hidden:
            layers += [nn.Linear(last, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Dropout(p)]
            last = h
        self.trunk = nn.Sequential(*layers)
        self.score = nn.Linear(last, 1)

    def forward(self, x):
        return self.score(self.trunk(x)).squeeze(-1)


def scores(model, x):
    model.eval()
    with torch.no_grad():
        return model(x).numpy()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "transactions.npz"))
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--lr", type=float, default=3e-3)
    opt = ap.parse_args()

    rng = np.random.default_rng(2)
    torch.manual_seed(2)
    X, y = load(opt.data)
    tr, va, te = split(len(y), rng)
    mean, std = X[tr].mean(0), X[tr].std(0)
    X = torch.tensor((X - mean) / std, dtype=torch.float32)
    Y = torch.tensor(y)

    n_pos = Y[tr].sum()
    # The square root keeps the scores usable while the rare class still counts.
    pos_weight = ((len(tr) - n_pos) / n_pos).sqrt()
    print(f"train {len(tr)}  fraud {int(n_pos)}  pos_weight {pos_weight:.2f}")
    criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)

    model = ScoreNet(X.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=opt.lr, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, opt.epochs)

    for epoch in range(1, opt.epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.tensor(rng.permutation(tr)).split(opt.batch):
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(X[idx])
            loss = criterion(logits.float(), Y[idx])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        schedule.step()
        s = scores(model, X[va])
        print(f"epoch {epoch:2d}  loss {total / len(tr):.4f}  val AP {average_precision_score(y[va], s):.3f}  "
              f"val AUC {roc_auc_score(y[va], s):.3f}")

    s_val = scores(model, X[va])
    precision, recall, thr = precision_recall_curve(y[va], s_val)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    cut = thr[f1[:-1].argmax()]
    s_test = scores(model, X[te])
    flag, truth = s_test >= cut, y[te] == 1
    print(f"test AP {average_precision_score(y[te], s_test):.3f}  AUC {roc_auc_score(y[te], s_test):.3f}  "
          f"precision {(flag & truth).sum() / flag.sum():.3f}  recall {(flag & truth).sum() / truth.sum():.3f}")


if __name__ == "__main__":
    main()
