"""Neural proportional-hazards model, full-cohort partial likelihood."""
import csv
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

FEATURES = ["age", "sex", "bmi", "sbp", "marker", "stage", "smoker", "haemoglobin"]


def load(path):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    x = np.array([[float(r[f]) for f in FEATURES] for r in rows])
    x[:, FEATURES.index("marker")] = np.log(x[:, FEATURES.index("marker")] + 0.05)
    t = np.array([float(r["months"]) for r in rows])
    e = np.array([int(r["event"]) for r in rows])
    return x, t, e


def by_time(x, t, e):
    order = np.argsort(-t)
    return (torch.tensor(x[order], dtype=torch.float32),
            torch.tensor(t[order], dtype=torch.float32),
            torch.tensor(e[order], dtype=torch.float32))


def partial_nll(log_risk, event):
    # rows are ordered by descending follow-up, so the prefix is the risk set
    log_cum = torch.logcumsumexp(log_risk, dim=0)
    return -((log_risk - log_cum) * event).sum() / event.sum()


def c_index(log_risk, t, e):
    d = t[None, :] > t[:, None]
    usable = d & (e[:, None] > 0)
    diff = log_risk[:, None] - log_risk[None, :]
    conc = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (conc * usable).sum().item() / usable.sum().item()


def main(seed=5):
    torch.manual_seed(seed)
    x, t, e = load(Path(__file__).with_name("cohort.csv"))
    perm = np.random.default_rng(seed).permutation(len(x))
    a, b = int(0.6 * len(x)), int(0.8 * len(x))
    tr, va, te = perm[:a], perm[a:b], perm[b:]
    mu, sd = x[tr].mean(0), x[tr].std(0)
    x = (x - mu) / sd
    train, val, test = [by_time(x[i], t[i], e[i]) for i in (tr, va, te)]
    print(f"train {len(tr)} patients, {int(train[2].sum())} events")

    net = nn.Sequential(nn.Linear(len(FEATURES), 32), nn.SELU(), nn.AlphaDropout(0.1),
                        nn.Linear(32, 1, bias=False))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 240)

    for it in range(240):
        net.train()
        loss = partial_nll(net(train[0]).squeeze(1), train[2])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 30 == 29:
            net.eval()
            with torch.no_grad():
                h = net(val[0]).squeeze(1)
                print(f"iter {it + 1:4d}  train nll {loss.item():.4f}  val nll {partial_nll(h, val[2]).item():.4f}  "
                      f"val c-index {c_index(h, val[1], val[2]):.4f}")

    net.eval()
    with torch.no_grad():
        print(f"test c-index {c_index(net(test[0]).squeeze(1), test[1], test[2]):.4f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:2]))
