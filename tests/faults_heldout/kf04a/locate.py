"""Indoor position from the signal strength of 14 access points."""
import json
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from sampling import SubsetPerEpoch


def build(n_in, h):
    return nn.Sequential(nn.Linear(n_in, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 2))


def metres(model, x, y, scale):
    model.eval()
    with torch.no_grad():
        d = (model(x) - y) * scale
    return d.norm(dim=1).mean().item()


cfg = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "locate.json"))
z = np.load(cfg["survey"])
rssi, pos = z["rssi"].astype(np.float32), z["pos"].astype(np.float32)
held = z["held_out"]
mu, sd = rssi[~held].mean(0), rssi[~held].std(0)
pmu, psd = pos[~held].mean(0), pos[~held].std(0)
x = torch.from_numpy((rssi - mu) / sd)
y = torch.from_numpy((pos - pmu) / psd)
held = torch.from_numpy(held)
scale = torch.from_numpy(psd)

torch.manual_seed(3)
train = TensorDataset(x[~held], y[~held])
sampler = SubsetPerEpoch(len(train), **cfg["sampler"])
loader = DataLoader(train, batch_size=cfg["batch_size"], sampler=sampler)
model = build(x.shape[1], cfg["hidden"])
opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])

for epoch in range(cfg["epochs"]):
    sampler.set_epoch(epoch)
    model.train()
    losses = []
    for xb, yb in loader:
        loss = nn.functional.mse_loss(model(xb), yb)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    sched.step()
    if epoch % 20 == 19:
        print(f"{epoch + 1:3d}  mse {np.mean(losses):.4f}  held-out error {metres(model, x[held], y[held], scale):.2f} m")
