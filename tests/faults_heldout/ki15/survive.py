import argparse

import numpy as np
import torch
from torch import nn

from cox import concordance, partial_likelihood

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=25)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--batch", type=int, default=100)
opts = parser.parse_args()

torch.manual_seed(31)
f = np.load("cohort.npz")
cov, months, event = (torch.tensor(f[k]) for k in ("cov", "months", "event"))
idx = torch.randperm(len(months))
fit, held = idx[:1100], idx[1100:]
cov = (cov - cov[fit].mean(0)) / cov[fit].std(0)

risk = nn.Sequential(nn.Linear(cov.shape[1], 32), nn.ELU(), nn.Dropout(0.1), nn.Linear(32, 1), nn.Flatten(0))
optimizer = torch.optim.AdamW(risk.parameters(), lr=opts.lr, weight_decay=0.01)
for epoch in range(opts.epochs):
    risk.train()
    losses = []
    for b in fit[torch.randperm(len(fit))].split(opts.batch):
        optimizer.zero_grad()
        loss = partial_likelihood(risk(cov[b]), months[b], event[b])
        loss.backward()
        nn.utils.clip_grad_norm_(risk.parameters(), 2.0)
        optimizer.step()
        losses.append(loss.item())
    risk.eval()
    with torch.no_grad():
        r = risk(cov)
    print(f"epoch {epoch + 1:2d} loss {np.mean(losses):.3f} c-index fit {concordance(r[fit], months[fit], event[fit]):.3f} held {concordance(r[held], months[held], event[held]):.3f}")
