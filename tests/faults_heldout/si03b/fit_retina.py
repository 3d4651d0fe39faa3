#!/usr/bin/env python
"""Fit a small convolutional encoder of retinal ganglion cells: stimulus movie -> spike count per 20 ms bin."""
import argparse
import os

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

p = argparse.ArgumentParser()
p.add_argument("--recording", default="recording.npz")
p.add_argument("--epochs", type=int, default=12)
p.add_argument("--batch-size", type=int, default=64)
p.add_argument("--lr", type=float, default=2e-3)
p.add_argument("--lags", type=int, default=5)
p.add_argument("--log-input", type=int, choices=(0, 1), default=0)
p.add_argument("--seed", type=int, default=0)
a = p.parse_args()
torch.manual_seed(a.seed)

rec = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), a.recording))
movie = torch.from_numpy(rec["movie"]).float()          # frames x 8 x 8, contrast in quarter steps
movie = movie / movie.std()
counts = torch.from_numpy(rec["counts"]).float()        # frames x cells
clips = torch.stack([movie[t - a.lags + 1:t + 1] for t in range(a.lags - 1, len(movie))])
counts = counts[a.lags - 1:]
cut = int(0.8 * len(clips))
gap = a.lags
train_dl = DataLoader(TensorDataset(clips[:cut], counts[:cut]), a.batch_size, shuffle=True, drop_last=True)
xv, yv = clips[cut + gap:], counts[cut + gap:]


class Encoder(nn.Module):
    def __init__(self, lags, cells):
        super().__init__()
        self.core = nn.Sequential(
            nn.Conv2d(lags, 12, 3), nn.ELU(),
            nn.Conv2d(12, 12, 3), nn.ELU(),
            nn.Flatten(), nn.Dropout(0.2))
        self.readout = nn.Linear(12 * 16, cells)

    def forward(self, x):
        return nn.functional.softplus(self.readout(self.core(x))) + 1e-4     # expected spikes in the bin


def deviance(rate, n):
    term = torch.where(n > 0, n * torch.log(n.clamp(min=1) / rate), torch.zeros_like(n))
    return 2 * (term - (n - rate)).mean().item()


net = Encoder(a.lags, counts.shape[1])
criterion = nn.PoissonNLLLoss(log_input=bool(a.log_input))
opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(train_dl))
base = deviance(counts[:cut].mean(0).expand_as(yv), yv)

for ep in range(a.epochs):
    net.train()
    tot = 0.0
    for x, n in train_dl:
        opt.zero_grad()
        loss = criterion(net(x), n)
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item()
    net.eval()
    with torch.no_grad():
        rate = net(xv)
        vloss = criterion(rate, yv).item()
    print(f"epoch {ep + 1:2d}  loss {tot / len(train_dl):.4f}  held-out loss {vloss:.4f}  "
          f"held-out D2 {1 - deviance(rate, yv) / base:+.3f}  mean rate {rate.mean():.3f} (seen {yv.mean():.3f})")
