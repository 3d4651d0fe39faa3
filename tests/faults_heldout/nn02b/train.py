"""Customer churn classifier (MLP on tabular features) with early stopping on validation loss."""
import argparse
import copy
import os

import numpy as np
import torch
from torch import nn

ROOT = os.path.dirname(os.path.abspath(__file__))


def load(split):
    table = np.loadtxt(os.path.join(ROOT, "data", split + ".csv"), delimiter=",", skiprows=1)
    return table[:, :-1].astype("float32"), table[:, -1].astype("float32")


def build(n_in, hidden, p):
    return nn.Sequential(
        nn.Linear(n_in, hidden), nn.ReLU(), nn.Dropout(p),
        nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(p),
        nn.Linear(hidden, 1),
    )


def score(model, x, y, crit):
    model.eval()
    with torch.no_grad():
        z = model(x).squeeze(1)
    return crit(z, y).item(), ((z > 0).float() == y).float().mean().item()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=256)
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--max-epochs", type=int, default=80)
    ap.add_argument("--patience", type=int, default=6)
    args = ap.parse_args()

    torch.manual_seed(5)
    torch.set_num_threads(1)

    (xtr, ytr), (xva, yva), (xte, yte) = load("train"), load("valid"), load("test")
    mu, sd = xtr.mean(0), xtr.std(0) + 1e-6
    xtr, xva, xte = [torch.from_numpy((a - mu) / sd) for a in (xtr, xva, xte)]
    ytr, yva, yte = [torch.from_numpy(a) for a in (ytr, yva, yte)]
    print(f"rows: train {len(xtr)}  valid {len(xva)}  test {len(xte)}  churn rate {ytr.mean():.2f}")

    model = build(xtr.shape[1], args.hidden, args.dropout)
    crit = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

    best, best_state, waited = float("inf"), None, 0
    for epoch in range(args.max_epochs):
        model.train()
        order = torch.randperm(len(xtr))
        total = 0.0
        for idx in order.split(args.batch):
            optimizer.zero_grad()
            loss = crit(model(xtr[idx]).squeeze(1), ytr[idx])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        vl, va = score(model, xva, yva, crit)
        print(f"[{epoch:03d}] train {total / len(xtr):.4f} | valid {vl:.4f} acc {va:.3f}")
        if vl < best - 1e-4:
            best, best_state, waited = vl, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
            if waited >= args.patience:
                print("early stop")
                break

    model.load_state_dict(best_state)
    vl, va = score(model, xva, yva, crit)
    tl, ta = score(model, xte, yte, crit)
    print(f"best model: valid loss {vl:.4f} acc {va:.3f} | test loss {tl:.4f} acc {ta:.3f}")
