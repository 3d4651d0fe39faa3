#!/usr/bin/env python
# hourly bike rentals, plain MLP with huber loss
import os
import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(7)
folder = os.path.dirname(os.path.abspath(__file__))

z = np.load(os.path.join(folder, "rentals.npz"))
hour, feats, count = z["hour"], z["feats"], z["count"].astype("float32")
print("hours:", len(count), "count range:", count.min(), "-", count.max())

ang = 2 * np.pi * hour / 24.0
X = np.column_stack([np.sin(ang), np.cos(ang), np.sin(2 * ang), np.cos(2 * ang), feats]).astype("float32")
cut = int(0.8 * len(X))
mu, sd = X[:cut].mean(0), X[:cut].std(0)
X = torch.tensor((X - mu) / sd)
scale_m, scale_s = float(count[:cut].mean()), float(count[:cut].std())
Y = torch.tensor((count - scale_m) / scale_s)

net = nn.Sequential(
    nn.Linear(X.shape[1], 128), nn.GELU(),
    nn.Linear(128, 128), nn.GELU(),
    nn.Linear(128, 1),
)
criterion = nn.SmoothL1Loss(beta=0.5)
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
n_epochs, bs = 30, 64
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=n_epochs)

for ep in range(n_epochs):
    net.train()
    s = 0.0
    perm = torch.randperm(cut)
    for k in range(0, cut, bs):
        rows = perm[k:k + bs]
        loss = criterion(net(X[rows]).squeeze(1), Y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        s += loss.item() * len(rows)
    scheduler.step()
    net.eval()
    with torch.no_grad():
        p = net(X[cut:]).squeeze(1)
        vl = criterion(p, Y[cut:]).item()
        mae = (p - Y[cut:]).abs().mean().item() * scale_s
        r2 = 1 - ((p - Y[cut:]) ** 2).mean().item() / Y[cut:].var().item()
    print(f"{ep:02d} train={s / cut:.4f} val={vl:.4f} mae={mae:.1f} bikes r2={r2:.3f}")

torch.save({"net": net.state_dict(), "mu": mu, "sd": sd, "y": (scale_m, scale_s)}, os.path.join(folder, "rentals.pt"))
