"""Cox model with a small network: time to bearing failure, right-censored at the end of the service contract.

The partial likelihood couples all machines through the risk sets, so every update uses the full training cohort.
"""
import csv
import pathlib

import torch
from torch import nn


def read(path):
    rows = list(csv.DictReader(open(path, newline="")))
    cols = [k for k in rows[0] if k not in ("hours", "failed")]
    f = lambda k: torch.tensor([float(r[k]) for r in rows])
    return torch.stack([f(c) for c in cols], 1), f("hours"), f("failed")


def neg_partial_likelihood(score, hours, failed):
    order = hours.argsort(descending=True)
    s, e = score[order], failed[order]
    at_risk = torch.logcumsumexp(s, dim=0)
    return ((at_risk - s) * e).sum() / e.sum()


def concordance(score, hours, failed):
    earlier = (hours[:, None] < hours[None, :]) & (failed[:, None] > 0)
    d = score[:, None] - score[None, :]
    return ((d > 0).float() + 0.5 * (d == 0).float())[earlier].mean().item()


class Risk(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.linear = nn.Linear(d, 1, bias=False)
        self.bend = nn.Sequential(nn.Linear(d, 16), nn.Softplus(), nn.Dropout(0.2), nn.Linear(16, 1, bias=False))

    def forward(self, x):
        return (self.linear(x) + self.bend(x)).squeeze(1)


if __name__ == "__main__":
    torch.manual_seed(4)
    x, t, e = read(pathlib.Path(__file__).with_name("bearings.csv"))
    perm = torch.randperm(len(x))
    tr, va = perm[: int(0.75 * len(x))], perm[int(0.75 * len(x)):]
    mu, sd = x[tr].mean(0), x[tr].std(0)
    x = (x - mu) / sd
    net = Risk(x.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=0.3)
    steps = 240
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    print(f"{len(tr)} machines for fitting, {int(e[tr].sum())} failures; {len(va)} held out, {int(e[va].sum())} failures")
    for k in range(1, steps + 1):
        net.train()
        opt.zero_grad()
        loss = neg_partial_likelihood(net(x[tr]), t[tr], e[tr])
        loss.backward()
        opt.step()
        sched.step()
        if k % 40 == 0 or k == 1:
            net.eval()
            with torch.no_grad():
                s, sv = net(x[tr]), net(x[va])
                print(f"step {k:4d} npl {loss.item():.4f} c-index {concordance(s, t[tr], e[tr]):.4f} | held-out npl "
                      f"{neg_partial_likelihood(sv, t[va], e[va]):.4f} c-index {concordance(sv, t[va], e[va]):.4f}")
