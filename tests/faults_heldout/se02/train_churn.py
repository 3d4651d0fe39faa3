#!/usr/bin/env python
"""Churn model: entity embeddings for the categorical columns + MLP."""
import argparse
import csv
import logging
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import nn

log = logging.getLogger("churn")

NUMERIC = ["tenure_months", "monthly_fee", "support_calls", "usage_gb", "late_payments"]
CATEGORICAL = ["plan", "region", "contract"]
TARGET = "churned"


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    num = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    num[:, NUMERIC.index("usage_gb")] = np.log1p(num[:, NUMERIC.index("usage_gb")])
    cat = np.array([[r[c] for c in CATEGORICAL] for r in rows])
    y = np.array([int(r[TARGET]) for r in rows], dtype=np.float32)
    return num, cat, y


class Preprocessor:
    def fit(self, num, cat):
        self.mean = num.mean(0)
        self.std = num.std(0) + 1e-8
        self.levels = [{v: i + 1 for i, v in enumerate(sorted(set(col)))} for col in cat.T]
        return self

    def transform(self, num, cat):
        z = (num - self.mean) / self.std
        codes = np.stack([[lv.get(v, 0) for v in col] for lv, col in zip(self.levels, cat.T)], axis=1)
        return torch.from_numpy(z.astype(np.float32)), torch.from_numpy(codes.astype(np.int64))

    @property
    def cardinalities(self):
        return [len(lv) + 1 for lv in self.levels]


class ChurnNet(nn.Module):
    def __init__(self, n_num, cardinalities, emb_dim=3, hidden=32, dropout=0.1):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(c, emb_dim) for c in cardinalities)
        self.body = nn.Sequential(
            nn.Linear(n_num + emb_dim * len(cardinalities), hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, 1),
        )

    def forward(self, num, cat):
        parts = [num] + [emb(cat[:, j]) for j, emb in enumerate(self.embeddings)]
        return self.body(torch.cat(parts, dim=1)).squeeze(1)


def evaluate(model, data):
    num, cat, y = data
    model.eval()
    with torch.no_grad():
        logits = model(num, cat)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, y).item()
    p = torch.sigmoid(logits).numpy()
    return loss, roc_auc_score(y.numpy(), p), average_precision_score(y.numpy(), p)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=Path, default=Path(__file__).parent / "customers.csv")
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--weight-decay", type=float, default=1e-2)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)

    num, cat, y = read_table(args.data)
    order = rng.permutation(len(y))
    n_val = n_test = len(y) // 6
    idx = {"val": order[:n_val], "test": order[n_val:n_val + n_test], "train": order[n_val + n_test:]}
    prep = Preprocessor().fit(num[idx["train"]], cat[idx["train"]])
    sets = {k: (*prep.transform(num[i], cat[i]), torch.from_numpy(y[i])) for k, i in idx.items()}
    log.info("train=%d val=%d test=%d positive rate=%.3f", *(len(idx[k]) for k in ("train", "val", "test")), y.mean())

    model = ChurnNet(len(NUMERIC), prep.cardinalities)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.4)
    loss_fn = nn.BCEWithLogitsLoss()

    xn, xc, yt = sets["train"]
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        perm = torch.randperm(len(yt))
        for start in range(0, len(perm), args.batch_size):
            b = perm[start:start + args.batch_size]
            loss = loss_fn(model(xn[b], xc[b]), yt[b])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item() * len(b)
        sched.step()
        vl, auc, ap_score = evaluate(model, sets["val"])
        log.info("epoch %02d train %.4f | val %.4f auc %.4f ap %.4f", epoch + 1, total / len(yt), vl, auc, ap_score)

    tl, auc, ap_score = evaluate(model, sets["test"])
    log.info("test loss %.4f auc %.4f ap %.4f", tl, auc, ap_score)


if __name__ == "__main__":
    main()
