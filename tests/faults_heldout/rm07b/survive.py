import json
import sys

import numpy as np
import torch

from hazard.cox import concordance, partial_likelihood
from hazard.model import risk_net

spec = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "model.json"))
torch.manual_seed(spec["seed"])

names = open("cohort.csv").readline().strip().split(",")
cohort = torch.tensor(np.loadtxt("cohort.csv", delimiter=",", skiprows=1), dtype=torch.float32)
x, time, event = cohort[:, :-2], cohort[:, -2], cohort[:, -1]
n_fit = 2400
mean, std = x[:n_fit].mean(0), x[:n_fit].std(0)
x = (x - mean) / std
print("covariates:", ", ".join(names[:-2]), "| events:", int(event.sum()), "of", len(event))

net = risk_net(x.shape[1], spec)
opt = torch.optim.AdamW(net.parameters(), lr=spec["lr"], weight_decay=spec["weight_decay"])

for epoch in range(1, spec["epochs"] + 1):
    net.train()
    total, count = 0.0, 0
    for idx in torch.randperm(n_fit).split(spec["batch"]):
        loss = partial_likelihood(net(x[idx]).squeeze(1), time[idx], event[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        count += 1
    if epoch % spec["print_every"] == 0:
        net.eval()
        with torch.no_grad():
            risk = net(x[n_fit:]).squeeze(1)
            parts = zip(*(v.split(spec["batch"]) for v in (risk, time[n_fit:], event[n_fit:])))
            held = float(np.mean([partial_likelihood(*p).item() for p in parts]))
            c = concordance(risk, time[n_fit:], event[n_fit:])
        print(f"epoch {epoch:3d}  pll {total / count:.4f}  held-out pll {held:.4f}  c-index {c:.4f}")
