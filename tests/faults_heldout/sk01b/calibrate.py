"""Moisture calibration for ground wheat from NIR reflectance scans."""
import csv
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 11
torch.manual_seed(SEED)
torch.set_num_threads(1)


def snv(a):
    """standard normal variate, the usual scatter correction"""
    return (a - a.mean(axis=1, keepdims=True)) / a.std(axis=1, keepdims=True)


scans = np.load("spectra.npz")
X = snv(scans["absorbance"].astype(np.float32))

with open("labels.csv") as fh:
    table = list(csv.DictReader(fh))
y = np.array([float(r["moisture_pct"]) for r in table], dtype=np.float32)
assert len(X) == len(y)

# random hold-out
idx = np.random.default_rng(SEED).permutation(len(X))
tr, va = idx[:460], idx[460:]

mu, sd = X[tr].mean(0), X[tr].std(0)
X = (X - mu) / sd
ym, ys = y[tr].mean(), y[tr].std()
X, t = torch.from_numpy(X), torch.from_numpy((y - ym) / ys)


class SpectralNet(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, ch, 7, stride=2, padding=3), nn.ReLU(),
            nn.Conv1d(ch, ch, 5, stride=2, padding=2), nn.ReLU(),
        )
        self.out = nn.Sequential(nn.Flatten(), nn.Linear(ch * 24, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, x):
        return self.out(self.conv(x[:, None])).squeeze(-1)


net = SpectralNet()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-2)
EPOCHS = 40
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
loader = DataLoader(TensorDataset(X[tr], t[tr]), batch_size=20, shuffle=True)

for epoch in range(1, EPOCHS + 1):
    net.train()
    total = 0.0
    for xb, tb in loader:
        loss = nn.functional.mse_loss(net(xb), tb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
    sched.step()
    net.eval()
    with torch.no_grad():
        pv = net(X[va])
        vl = nn.functional.mse_loss(pv, t[va]).item()
    if epoch % 4 == 0 or epoch == 1:
        print(f"epoch {epoch:3d}  train mse {total / len(tr):.4f}  val mse {vl:.4f}  RMSEP {ys * vl ** 0.5:.3f} %")

r2 = 1 - ((pv - t[va]) ** 2).sum() / ((t[va] - t[va].mean()) ** 2).sum()
print(f"R2(val) = {r2.item():.3f}")
