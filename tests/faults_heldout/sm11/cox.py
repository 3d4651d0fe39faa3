"""Neural Cox regression on pump failures. The partial likelihood needs the whole risk set, so each update sees all units."""
import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

here = Path(__file__).resolve().parent
cfg = json.loads((here / (sys.argv[1] if len(sys.argv) > 1 else "cox.json")).read_text())
torch.manual_seed(cfg["seed"])
table = np.genfromtxt(here / cfg["table"], delimiter=",", names=True)
names = [n for n in table.dtype.names if n not in ("hours", "failed")]
x = torch.tensor(np.stack([table[n] for n in names], 1), dtype=torch.float32)
time = torch.tensor(table["hours"], dtype=torch.float32)
event = torch.tensor(table["failed"], dtype=torch.float32)

perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(3))
k = int(len(x) * 0.7)
tr, va = perm[:k], perm[k:]
x = (x - x[tr].mean(0)) / x[tr].std(0)


def partial_nll(risk, time, event):
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_set = torch.logcumsumexp(risk, 0)
    return -((risk - log_set) * event).sum() / event.sum()


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    higher = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (higher[earlier].sum() / earlier.sum()).item()


net = nn.Sequential(
    nn.Linear(len(names), cfg["width"]), nn.Tanh(), nn.Dropout(cfg["dropout"]),
    nn.Linear(cfg["width"], cfg["width"]), nn.Tanh(), nn.Dropout(cfg["dropout"]),
    nn.Linear(cfg["width"], 1, bias=False),
)
opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["updates"])
print(f"{k} units, {int(event[tr].sum())} failures, {1 - event[tr].mean().item():.0%} censored")
for u in range(1, cfg["updates"] + 1):
    net.train()
    loss = partial_nll(net(x[tr]).squeeze(1), time[tr], event[tr])
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if u % cfg["report"] == 0 or u == 1:
        net.eval()
        with torch.no_grad():
            r = net(x[va]).squeeze(1)
        print(f"update {u:4d}  train nll {loss.item():.4f}  valid nll {partial_nll(r, time[va], event[va]).item():.4f}"
              f"  c-index {concordance(r, time[va], event[va]):.4f}")
