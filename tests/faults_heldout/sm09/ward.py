"""Early warning from vital signs: does the patient deteriorate within the next shift?

Vital signs are charted irregularly, so most cells of a stay are blank (NaN). The network gets the last
charted value, a flag whether the cell was charted, and the hours since the last charting.
"""
import argparse
import os

import numpy as np
import torch
from torch import nn
from sklearn.metrics import average_precision_score, roc_auc_score

FOLDER = os.path.dirname(os.path.realpath(__file__))


def carry_forward(raw, mean, std):
    z = (raw - mean) / std
    seen = np.isfinite(z)
    n, hours, k = z.shape
    value, age = np.zeros_like(z), np.zeros_like(z)
    last, since = np.zeros((n, k)), np.zeros((n, k))
    for h in range(hours):
        last = np.where(seen[:, h], z[:, h], last)
        since = np.where(seen[:, h], 0.0, since + 1.0)
        value[:, h], age[:, h] = last, since
    return np.concatenate([value, seen.astype(float), age / hours], axis=2).astype(np.float32)


class Warning(nn.Module):
    def __init__(self, n_in, hidden=16):
        super().__init__()
        self.gru = nn.GRU(n_in, hidden, batch_first=True)
        self.drop = nn.Dropout(0.3)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.drop(self.gru(x)[0][:, -1])).squeeze(1)


def main(args):
    torch.manual_seed(args.seed)
    z = np.load(os.path.join(FOLDER, "stays.npz"))
    raw, label, fold = z["vitals"].astype(np.float64), z["deteriorated"].astype(np.float32), z["fold"]
    tr, va = np.flatnonzero(fold < 4), np.flatnonzero(fold == 4)
    mean, std = np.nanmean(raw[tr], axis=(0, 1)), np.nanstd(raw[tr], axis=(0, 1))
    x, y = torch.from_numpy(carry_forward(raw, mean, std)), torch.from_numpy(label)
    rate = y[tr].mean().item()
    print(f"{len(tr)} stays for training, {rate:.1%} positive, {np.isnan(raw).mean():.0%} of cells blank")

    net = Warning(x.size(2))
    crit = nn.BCEWithLogitsLoss(pos_weight=torch.tensor((1 - rate) / rate))
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=3e-2)
    n_steps = args.epochs * (-(-len(tr) // args.batch_size))
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=n_steps, pct_start=0.2)
    for epoch in range(args.epochs):
        net.train()
        order = torch.from_numpy(tr)[torch.randperm(len(tr))]
        total = 0.0
        for b in order.split(args.batch_size):
            loss = crit(net(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item() * len(b)
        net.eval()
        with torch.no_grad():
            s = net(x[va])
        vl = crit(s, y[va]).item()
        hit = ((s > 0) & (y[va] > 0)).sum().item() / y[va].sum().item()
        print(f"epoch {epoch + 1:2d}  train {total / len(tr):.4f}  valid {vl:.4f}  AUROC {roc_auc_score(y[va], s):.3f}"
              f"  AP {average_precision_score(y[va], s):.3f}  recall {hit:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--epochs", type=int, default=7)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=12)
    main(ap.parse_args())
