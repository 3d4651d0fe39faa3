"""Churn score for the retention team."""
import argparse
import copy
import csv

import numpy as np
import torch
from torch import nn
from sklearn.metrics import roc_auc_score

NUMERIC = ["tenure", "monthly_fee", "support_calls", "data_gb"]
CATEGORICAL = ["contract", "payment", "region"]


def read(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    num = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    vocab = {c: {v: i for i, v in enumerate(sorted({r[c] for r in rows}))} for c in CATEGORICAL}
    cat = np.array([[vocab[c][r[c]] for c in CATEGORICAL] for r in rows], dtype=np.int64)
    y = np.array([int(r["left"]) for r in rows], dtype=np.float32)
    return num, cat, y, [len(vocab[c]) for c in CATEGORICAL]


class ChurnNet(nn.Module):
    def __init__(self, sizes, n_num, hidden, p):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(s, 3) for s in sizes)
        self.body = nn.Sequential(
            nn.Linear(n_num + 3 * len(sizes), hidden), nn.ReLU(), nn.Dropout(p),
            nn.Linear(hidden, hidden // 2), nn.ReLU(), nn.Dropout(p),
            nn.Linear(hidden // 2, 1))

    def forward(self, num, cat):
        e = [m(cat[:, i]) for i, m in enumerate(self.emb)]
        return self.body(torch.cat([num] + e, dim=1)).squeeze(1)


@torch.no_grad()
def evaluate(model, num, cat, y, loss_fn):
    model.eval()
    out = model(num, cat)
    return loss_fn(out, y).item(), roc_auc_score(y.numpy(), out.numpy())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--csv", default="subscribers.csv")
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--patience", type=int, default=8)
    ap.add_argument("--seed", type=int, default=11)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    num, cat, y, sizes = read(a.csv)
    order = np.random.default_rng(a.seed).permutation(len(y))
    cut1, cut2 = int(.7 * len(y)), int(.85 * len(y))
    tr, va, te = order[:cut1], order[cut1:cut2], order[cut2:]
    num[:, 3] = np.log1p(num[:, 3])
    mean, std = num[tr].mean(0), num[tr].std(0)
    num = torch.from_numpy((num - mean) / std)
    cat, y = torch.from_numpy(cat), torch.from_numpy(y)

    model = ChurnNet(sizes, len(NUMERIC), 32, 0.1)
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-2)
    bce = nn.BCEWithLogitsLoss()
    best, best_state, wait = float("inf"), None, 0
    for epoch in range(a.epochs):
        model.train()
        total = 0.0
        perm = torch.from_numpy(tr)[torch.randperm(len(tr))]
        for idx in perm.split(a.batch):
            loss = bce(model(num[idx], cat[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        vloss, vauc = evaluate(model, num[va], cat[va], y[va], bce)
        print(f"epoch {epoch:2d}  train {total / len(tr):.4f}  val {vloss:.4f}  auc {vauc:.4f}")
        if vloss < best - 1e-4:
            best, best_state, wait = vloss, copy.deepcopy(model.state_dict()), 0
        else:
            wait += 1
            if wait >= a.patience:
                print("no progress on the validation loss, stopping")
                break
    model.load_state_dict(best_state)
    tloss, tauc = evaluate(model, num[te], cat[te], y[te], bce)
    print(f"test loss {tloss:.4f} auc {tauc:.4f} base rate {y[te].mean():.3f}")


if __name__ == "__main__":
    main()
