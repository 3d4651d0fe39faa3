"""Match spectra to assay panels (two towers, in-batch negatives)."""
import math
import tomllib

import numpy as np
import torch
import torch.nn.functional as F

from towers import Tower

with open("pairs.toml", "rb") as f:
    cfg = tomllib.load(f)
t = cfg["train"]
torch.manual_seed(t["seed"])

z = np.load(cfg["data"]["file"])
a = torch.tensor(z["spectra"], dtype=torch.float32)
b = torch.tensor(z["assay"], dtype=torch.float32)
perm = torch.randperm(len(a))
va, tr = perm[:cfg["data"]["held_out"]], perm[cfg["data"]["held_out"]:]
a = (a - a[tr].mean(0)) / a[tr].std(0)
b = (b - b[tr].mean(0)) / b[tr].std(0)

m = cfg["model"]
left, right = Tower(a.shape[1], m["hidden"], m["embedding"]), Tower(b.shape[1], m["hidden"], m["embedding"])
params = list(left.parameters()) + list(right.parameters())
opt = torch.optim.AdamW(params, lr=t["lr"], weight_decay=t["weight_decay"])
per_epoch = len(tr) // t["batch"]
total = per_epoch * t["epochs"]
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min((s + 1) / t["warmup"], 0.5 * (1 + math.cos(math.pi * s / total))))


def info_nce(u, v):
    sim = u @ v.T / m["temperature"]
    target = torch.arange(len(u))
    return 0.5 * (F.cross_entropy(sim, target) + F.cross_entropy(sim.T, target)), sim


for epoch in range(1, t["epochs"] + 1):
    left.train(), right.train()
    running = 0.0
    order = tr[torch.randperm(len(tr))]
    for k in range(per_epoch):
        idx = order[k * t["batch"]:(k + 1) * t["batch"]]
        loss, _ = info_nce(left(a[idx]), right(b[idx]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        running += loss.item() / per_epoch
    if epoch % 5 == 0:
        left.eval(), right.eval()
        with torch.no_grad():
            vl, sim = info_nce(left(a[va]), right(b[va]))
        rank = (sim > sim.diag()[:, None]).sum(1)
        print(f"epoch {epoch:2d} train {running:.3f} held-out {vl.item():.3f} (of {len(va)}) "
              f"recall@1 {(rank == 0).float().mean():.3f} recall@10 {(rank < 10).float().mean():.3f}")
