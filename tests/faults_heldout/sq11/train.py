"""Early warning on ward stays: GRU-D on hourly vitals, most of which are not measured."""
import argparse
import os
import numpy as np
import torch
from torch import nn
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=16)
ap.add_argument("--batch", type=int, default=32)
ap.add_argument("--seed", type=int, default=1)
args = ap.parse_args()
torch.manual_seed(args.seed)

z = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stays.npz"))
raw = z["vitals"].astype(np.float32)             # (stay, hour, vital), nan = not measured
hours = z["hours"].astype(np.int64)
y = z["deterioration"].astype(np.float32)
n_test = 270
test, train = np.arange(n_test), np.arange(n_test, len(y))

seen = ~np.isnan(raw)
mean, std = np.nanmean(raw[train], axis=(0, 1)), np.nanstd(raw[train], axis=(0, 1))
value = np.where(seen, (raw - mean) / std, 0.0).astype(np.float32)


def gaps(seen):
    """hours since the last measurement of each vital"""
    d = np.zeros(seen.shape, np.float32)
    for t in range(1, seen.shape[1]):
        d[:, t] = np.where(seen[:, t - 1], 1.0, d[:, t - 1] + 1.0)
    return d


V, M, D = torch.from_numpy(value), torch.from_numpy(seen.astype(np.float32)), torch.from_numpy(gaps(seen) / 24)
L, Y = torch.from_numpy(hours), torch.from_numpy(y)


class GRUD(nn.Module):
    def __init__(self, n_vitals, hidden=16):
        super().__init__()
        self.decay_x = nn.Parameter(torch.full((n_vitals,), 1.0))
        self.decay_h = nn.Linear(n_vitals, hidden)
        self.cell = nn.GRUCell(2 * n_vitals, hidden)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, v, m, d, length):
        h = v.new_zeros(len(v), self.hidden)
        last = torch.zeros_like(v[:, 0])
        for t in range(v.shape[1]):
            g = torch.exp(-torch.relu(self.decay_x) * d[:, t])
            x = m[:, t] * v[:, t] + (1 - m[:, t]) * g * last       # drifts back to the mean, which is 0 here
            last = torch.where(m[:, t] > 0, v[:, t], last)
            new = self.cell(torch.cat([x, m[:, t]], 1), h * torch.exp(-torch.relu(self.decay_h(d[:, t]))))
            h = torch.where((t < length)[:, None], new, h)         # after discharge the state stays
        return self.out(self.drop(h)).squeeze(1)


def scores(model, idx):
    model.eval()
    with torch.no_grad():
        p = torch.sigmoid(model(V[idx], M[idx], D[idx], L[idx])).numpy()
    return roc_auc_score(y[idx], p), average_precision_score(y[idx], p)


def summary_features():
    s = seen.sum(1)
    avg = value.sum(1) / np.maximum(s, 1)
    last = np.zeros_like(avg)
    for t in range(value.shape[1]):
        last = np.where(seen[:, t], value[:, t], last)
    return np.concatenate([avg, last, s / hours[:, None]], 1)


F = summary_features()
base = LogisticRegression(C=0.3, max_iter=500).fit(F[train], y[train]).predict_proba(F[test])[:, 1]
print(f"{len(y)} stays, {y.mean():.3f} deteriorate, {seen.mean():.3f} of the cells measured")
print(f"logistic regression on summaries: AUROC {roc_auc_score(y[test], base):.4f}  AP {average_precision_score(y[test], base):.4f}")

model = GRUD(raw.shape[2])
opt = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-3)
pos_weight = torch.tensor(float((1 - y[train]).sum() / y[train].sum()))
criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
ids = torch.from_numpy(train)
for epoch in range(1, args.epochs + 1):
    model.train()
    total = 0.0
    for b in ids[torch.randperm(len(ids))].split(args.batch):
        loss = criterion(model(V[b], M[b], D[b], L[b]), Y[b])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total += loss.item() * len(b)
    roc, pr = scores(model, test)
    print(f"epoch {epoch:2d}  weighted bce {total / len(ids):.4f}  test AUROC {roc:.4f}  AP {pr:.4f}")
