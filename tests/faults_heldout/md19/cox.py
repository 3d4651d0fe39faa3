"""Deep Cox model for the follow-up cohort."""
import csv
import json
import sys

import numpy as np
import torch
from torch import nn


def partial_likelihood(risk, time, event):
    """negative log partial likelihood of one batch (Breslow), averaged over its events"""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    at_risk = torch.logcumsumexp(risk, 0)
    return -((risk - at_risk) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & event.bool()[:, None]
    d = risk[:, None] - risk[None, :]
    return (((d > 0).float() + 0.5 * (d == 0).float())[earlier]).mean().item()


def table(path):
    rows = list(csv.DictReader(open(path)))
    g = lambda k: np.array([float(r[k]) for r in rows], dtype=np.float32)
    cont = np.stack([g("age"), np.log(g("marker")), g("bmi"), g("lab1"), g("lab2"), g("lab3")], 1)
    cat = np.stack([g("sex"), g("treated")] + [(g("stage") == s) for s in (2, 3, 4)], 1).astype(np.float32)
    return cont, cat, torch.tensor(g("months")), torch.tensor(g("event"))


def main(conf):
    torch.manual_seed(conf["seed"])
    cont, cat, time, event = table(conf["cohort"])
    idx = np.random.default_rng(conf["seed"]).permutation(len(time))
    va, tr = idx[:600], idx[600:]
    m, s = cont[tr].mean(0), cont[tr].std(0)
    x = torch.tensor(np.concatenate([(cont - m) / s, cat], 1))
    net = nn.Sequential(nn.Linear(x.shape[1], 24), nn.Tanh(), nn.Dropout(conf["dropout"]), nn.Linear(24, 12), nn.Tanh(),
                        nn.Linear(12, 1, bias=False))
    opt = torch.optim.AdamW(net.parameters(), lr=conf["lr"], weight_decay=conf["decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, conf["epochs"])
    for ep in range(1, conf["epochs"] + 1):
        net.train()
        tot = []
        for b in np.array_split(np.random.default_rng(ep).permutation(tr), 9):
            loss = partial_likelihood(net(x[b]).squeeze(1), time[b], event[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot.append(loss.item())
        sched.step()
        if ep % 10 == 0:
            net.eval()
            with torch.no_grad():
                r = net(x[va]).squeeze(1)
                v = np.mean([partial_likelihood(r[k:k + 200], time[va[k:k + 200]], event[va[k:k + 200]]).item() for k in (0, 200, 400)])
            print(f"epoch {ep}: loss {np.mean(tot):.4f} held-out {v:.4f} C-index {concordance(r, time[va], event[va]):.4f}")


main(json.load(open(sys.argv[1])))
