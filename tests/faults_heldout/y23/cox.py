"""Cox proportional-hazards network, weights kept as bare tensors."""
import csv
import math
from pathlib import Path

import torch

torch.manual_seed(13)
FIELDS = ["age", "karno", "albumin", "weight_loss", "marker_a", "marker_b"]

with open(Path(__file__).with_name("cohort.csv")) as fh:
    rows = list(csv.DictReader(fh))
x = torch.tensor([[float(r[f]) for f in FIELDS] for r in rows])
t = torch.tensor([float(r["days"]) for r in rows])
status = torch.tensor([float(r["status"]) for r in rows])

order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(0))
tr, va = order[:1900], order[1900:]
x = (x - x[tr].mean(0)) / x[tr].std(0)


def init(n_in, n_out):
    w = torch.randn(n_in, n_out) * math.sqrt(2 / n_in)
    return [w.requires_grad_(), torch.zeros(n_out, requires_grad=True)]


params = init(len(FIELDS), 24) + init(24, 1)


def log_risk(x):
    w1, b1, w2, b2 = params
    return (torch.relu(x @ w1 + b1) @ w2 + b2).squeeze(1)


def cox_loss(eta, time, event):
    """Negative partial likelihood, risk sets within the batch (Breslow)."""
    o = time.argsort(descending=True)
    eta, event = eta[o], event[o]
    return -((eta - eta.logcumsumexp(0)) * event).sum() / event.sum().clamp(min=1)


def concordance(eta, time, event):
    comparable = (time[:, None] < time[None]) & (event[:, None] > 0)
    right = (eta[:, None] > eta[None]).float() + 0.5 * (eta[:, None] == eta[None]).float()
    return (right * comparable).sum() / comparable.sum()


opt = torch.optim.AdamW(params, lr=2e-3, weight_decay=0.05)
for epoch in range(1, 25):
    acc = 0.0
    batches = tr[torch.randperm(len(tr))].split(100)
    for b in batches:
        loss = cox_loss(log_risk(x[b]), t[b], status[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item()
    if epoch % 3 == 0:
        with torch.no_grad():
            c_tr = concordance(log_risk(x[tr]), t[tr], status[tr])
            c_va = concordance(log_risk(x[va]), t[va], status[va])
        print(f"epoch {epoch:2d}  loss {acc / len(batches):.4f}  C train {c_tr:.3f}  C valid {c_va:.3f}")
