import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from augment import Compose, Jitter, MirrorHand, Scale, TimeShift
from gestures import NAMES, recordings

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=25)
ap.add_argument("--seed", type=int, default=33)
ap.add_argument("--lr", type=float, default=2e-3)
cfg = ap.parse_args()
torch.manual_seed(cfg.seed)
rng = np.random.default_rng(cfg.seed)

xtr, ytr = [torch.from_numpy(a) for a in recordings(1000, rng)]
xte, yte = [torch.from_numpy(a) for a in recordings(400, rng)]
std = xtr.std((0, 2), keepdim=True)
xtr, xte = xtr / std, xte / std

augment = Compose(Jitter(0.05), Scale(0.9, 1.1), TimeShift(3), MirrorHand(0.5))
net = nn.Sequential(
    nn.Conv1d(3, 16, 5, padding=2), nn.BatchNorm1d(16), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(16, 32, 5, padding=2), nn.BatchNorm1d(32), nn.ReLU(), nn.MaxPool1d(2),
    nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * 12, len(NAMES)),
)
opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)

for epoch in range(1, cfg.epochs + 1):
    net.train()
    losses = []
    for idx in torch.randperm(len(xtr)).split(50):
        loss = F.cross_entropy(net(augment(xtr[idx])), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    sched.step()
    if epoch % 5 == 0:
        net.eval()
        with torch.no_grad():
            pred = net(xte).argmax(1)
        per_class = " ".join(f"{n}={(pred[yte == k] == k).float().mean():.2f}" for k, n in enumerate(NAMES))
        print(f"epoch {epoch:2d} loss {np.mean(losses):.4f} test acc {(pred == yte).float().mean():.4f}  {per_class}")
