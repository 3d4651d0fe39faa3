#!/usr/bin/env python
# Solubility class (soluble / not) of small compounds from descriptor columns.
# compounds.csv: id, d00..d19, soluble        folds.json: lists of ids per role
import argparse
import copy
import csv
import json
import pathlib

import torch
import torch.nn as nn


class Table:
    def __init__(self, csv_file):
        with csv_file.open(newline="") as fh:
            reader = csv.reader(fh)
            header = next(reader)
            rows = list(reader)
        self.names = header[1:-1]
        self.row_of = {r[0]: i for i, r in enumerate(rows)}
        self.x = torch.tensor([[float(v) for v in r[1:-1]] for r in rows])
        self.y = torch.tensor([float(r[-1]) for r in rows])

    def pick(self, ids):
        i = torch.tensor([self.row_of[k] for k in ids])
        return self.x[i], self.y[i]


class Net(nn.Module):
    def __init__(self, d, hidden, drop):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(d, hidden), nn.ReLU(), nn.Dropout(drop),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(drop),
        )
        self.logit = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.logit(self.body(x)).squeeze(1)


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        z = net(x)
        loss = nn.functional.binary_cross_entropy_with_logits(z, y).item()
        acc = ((z > 0).float() == y).float().mean().item()
    return loss, acc


def main():
    here = pathlib.Path(__file__).resolve().parent
    ap = argparse.ArgumentParser()
    ap.add_argument("--table", type=pathlib.Path, default=here / "compounds.csv")
    ap.add_argument("--folds", type=pathlib.Path, default=here / "folds.json")
    ap.add_argument("--hidden", type=int, default=128)
    ap.add_argument("--drop", type=float, default=0.05)
    ap.add_argument("--max-epochs", type=int, default=120)
    ap.add_argument("--patience", type=int, default=8)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()

    torch.manual_seed(40)
    table = Table(args.table)
    folds = json.loads(args.folds.read_text())
    x, y = table.pick(folds["train"])
    vx, vy = table.pick(folds["valid"])
    mu, sd = x.mean(0), x.std(0)
    x, vx = (x - mu) / sd, (vx - mu) / sd
    print(f"train {len(y)}  valid {len(vy)}  soluble share {y.mean():.2f}")

    net = Net(x.shape[1], args.hidden, args.drop)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-2)
    best = (float("inf"), None, -1)
    for epoch in range(args.max_epochs):
        net.train()
        tot = 0.0
        for i in torch.randperm(len(y)).split(48):
            loss = nn.functional.binary_cross_entropy_with_logits(net(x[i]), y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(i)
        vl, va = evaluate(net, vx, vy)
        if epoch % 5 == 0:
            print(f"{epoch:3d}  train loss {tot / len(y):.4f}  valid loss {vl:.4f}  valid acc {va:.3f}")
        if vl < best[0]:
            best = (vl, copy.deepcopy(net.state_dict()), epoch)
        elif epoch - best[2] >= args.patience:
            print(f"no better since epoch {best[2]}, stop at {epoch}")
            break

    net.load_state_dict(best[1])
    vl, va = evaluate(net, vx, vy)
    print(f"kept epoch {best[2]}: valid loss {vl:.4f}  valid acc {va:.3f}")


if __name__ == "__main__":
    main()
