import csv
import json
import sys

import numpy as np
import torch
from torch import nn


def read(path):
    with open(path) as fh:
        rows = list(csv.reader(fh))
    body = np.array(rows[1:], dtype=np.float64)
    x, t, e = body[:, :-2], body[:, -2], body[:, -1]
    x[:, rows[0].index("crp")] = np.log(x[:, rows[0].index("crp")])
    return x, t, e


def to_risk_order(x, t, e):
    """Longest follow-up first: the risk set of row i is then rows 0..i."""
    o = np.argsort(-t)
    return tuple(torch.tensor(v[o], dtype=torch.float32) for v in (x, t, e))


def neg_log_partial(risk, event):
    return -((risk - torch.logcumsumexp(risk, 0)) * event).sum() / event.sum()


def concordance(risk, t, e):
    ordered = (t[:, None] < t[None, :]) & (e[:, None] == 1)
    better = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (better[ordered].sum() / ordered.sum()).item()


class Risk(nn.Module):
    def __init__(self, d, h, p):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, h), nn.ELU(), nn.Dropout(p), nn.Linear(h, h // 2), nn.ELU(), nn.Dropout(p))
        self.head = nn.Linear(h // 2, 1, bias=False)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(1)


def main(path):
    cfg = json.load(open(path))
    torch.manual_seed(cfg["seed"])
    x, t, e = read(cfg["file"])
    order = np.random.default_rng(cfg["seed"]).permutation(len(t))
    cut = int(0.65 * len(t))
    tr, va = order[:cut], order[cut:]
    mu, sd = x[tr].mean(0), x[tr].std(0)
    x = (x - mu) / sd
    xt, tt, et = to_risk_order(x[tr], t[tr], e[tr])
    xv, tv, ev = to_risk_order(x[va], t[va], e[va])
    print(f"{len(tr)} patients, {int(et.sum())} events in training")

    model = Risk(x.shape[1], cfg["hidden"], cfg["dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    for ep in range(1, cfg["epochs"] + 1):
        model.train()
        opt.zero_grad()
        loss = neg_log_partial(model(xt), et)
        loss.backward()
        opt.step()
        sched.step()
        if ep % cfg["report"] == 0 or ep == 1:
            model.eval()
            with torch.no_grad():
                rv = model(xv)
                print(f"epoch {ep:3d} npl {loss.item():.4f} | held-out npl {neg_log_partial(rv, ev).item():.4f} "
                      f"c-index {concordance(rv, tv, ev):.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "settings.json")
