"""Relative risk from admission data: Cox partial likelihood with a small network."""
import csv
import copy

import torch
from torch import nn

torch.manual_seed(41)


def partial_nll(risk, time, event):
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, 0)
    return -((risk - log_cum) * event).sum() / event.sum()


def concordance(risk, time, event):
    comparable = (time[:, None] < time[None, :]) & (event[:, None] == 1)
    higher = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (higher * comparable).sum().item() / comparable.sum().item()


with open("cohort.csv") as f:
    rows = list(csv.DictReader(f))
cols = [c for c in rows[0] if c not in ("days", "died")]
X = torch.tensor([[float(r[c]) for c in cols] for r in rows])
X[:, cols.index("creatinine")].log_()
T = torch.tensor([float(r["days"]) for r in rows])
E = torch.tensor([float(r["died"]) for r in rows])

perm = torch.randperm(len(X))
tr, va, te = perm[:1100], perm[1100:1450], perm[1450:]
m, s = X[tr].mean(0), X[tr].std(0)
X = (X - m) / s

net = nn.Sequential(nn.Linear(X.shape[1], 24), nn.Tanh(), nn.Dropout(0.2), nn.Linear(24, 1, bias=False))
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.05)

best, state, since = float("inf"), None, 0
for it in range(1, 601):
    net.train()
    opt.zero_grad()
    # risk sets span the whole training cohort, hence one batch
    loss = partial_nll(net(X[tr]).squeeze(1), T[tr], E[tr])
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        r = net(X[va]).squeeze(1)
        v = partial_nll(r, T[va], E[va]).item()
    if v < best - 1e-4:
        best, state, since = v, copy.deepcopy(net.state_dict()), 0
    else:
        since += 1
    if it % 25 == 0:
        print(f"iter {it}: train {loss.item():.4f} | val {v:.4f} c-index {concordance(r, T[va], E[va]):.3f}")
    if since >= 80:
        print(f"no better validation likelihood for {since} iterations, stop at {it}")
        break

net.load_state_dict(state)
net.eval()
with torch.no_grad():
    r = net(X[te]).squeeze(1)
print(f"test: nll {partial_nll(r, T[te], E[te]).item():.4f}  c-index {concordance(r, T[te], E[te]):.3f}")
