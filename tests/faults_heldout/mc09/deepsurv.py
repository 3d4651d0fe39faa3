"""Cox regression with a small network (hazard ratios from a cohort table)."""
import csv

import numpy as np
import torch
from torch import nn


def read_cohort(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    cols = [c for c in rows[0] if c not in ("months", "event")]
    x = np.array([[float(r[c]) for c in cols] for r in rows], dtype=np.float32)
    t = np.array([float(r["months"]) for r in rows], dtype=np.float32)
    e = np.array([int(r["event"]) for r in rows], dtype=np.float32)
    return x, t, e


def cox_loss(risk, time, event):
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, dim=0)     # over everyone still at risk
    return -((risk - log_cum) * event).sum() / event.sum()


def concordance(risk, time, event):
    # pairs (i, j): i has the event first
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    higher = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (higher * earlier).sum().item() / earlier.sum().item()


class RiskNet(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, 32), nn.SELU(), nn.Dropout(0.15), nn.Linear(32, 16), nn.SELU(),
                               nn.Linear(16, 1, bias=False))

    def forward(self, x):
        return self.f(x).squeeze(1)


def main():
    torch.manual_seed(40)
    x, t, e = read_cohort("cohort.csv")
    cut = 1500
    mu, sd = x[:cut].mean(0), x[:cut].std(0)
    x = torch.from_numpy((x - mu) / sd)
    t, e = torch.from_numpy(t), torch.from_numpy(e)
    net = RiskNet(x.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=3e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=40, eta_min=2e-4)
    for epoch in range(40):
        net.train()
        acc = []
        for idx in torch.randperm(cut).split(125):
            loss = cox_loss(net(x[idx]), t[idx], e[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc.append(loss.item())
        sched.step()
        if (epoch + 1) % 4 == 0:
            net.eval()
            with torch.no_grad():
                r = net(x)
            print(f"{epoch + 1:3d}  partial nll {np.mean(acc):.4f}  C train {concordance(r[:cut], t[:cut], e[:cut]):.3f}"
                  f"  C test {concordance(r[cut:], t[cut:], e[cut:]):.3f}")


main()
