"""Protein content of wheat from NIR absorbance."""
import numpy as np
import torch
import torch.nn as nn

cfg = dict(epochs=150, batch=32, lr=3e-3, wd=1e-3, drop=0.4, seed=2)

torch.manual_seed(cfg["seed"])
f = np.load("data/nir.npz")
spectra = torch.from_numpy(f["absorbance"].astype("float32"))
protein = torch.from_numpy(f["protein"])

split = torch.randperm(len(spectra), generator=torch.Generator().manual_seed(7))
tr, te = split[:270], split[270:]
mean, std = spectra[tr].mean(0), spectra[tr].std(0)
pm, ps = protein[tr].mean(), protein[tr].std()
ytr, yte = (protein[tr] - pm) / ps, (protein[te] - pm) / ps


def augment(s):
    """offset, tilt, gain and detector noise"""
    n, w = s.shape
    tilt = torch.linspace(-1, 1, w)
    s = s * (1 + 0.03 * torch.randn(n, 1))
    s = s + 0.08 * torch.randn(n, 1) + 0.08 * torch.randn(n, 1) * tilt
    return s + 0.03 * torch.randn_like(s)


class SpectrumNet(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(w, 192), nn.ReLU(), nn.Dropout(cfg["drop"]),
            nn.Linear(192, 96), nn.ReLU(), nn.Dropout(cfg["drop"]),
            nn.Linear(96, 1),
        )

    def forward(self, s):
        return self.net((s - mean) / std)[:, 0]


net = SpectrumNet(spectra.shape[1])
opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["wd"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
mse = nn.MSELoss()

for ep in range(1, cfg["epochs"] + 1):
    net.train()
    tot = 0.0
    perm = torch.randperm(len(tr))
    for b in perm.split(cfg["batch"]):
        opt.zero_grad()
        loss = mse(net(augment(spectra[tr[b]])), ytr[b])
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    sched.step()
    if ep % 10 == 0:
        net.eval()
        with torch.no_grad():
            v = mse(net(spectra[te]), yte).item()
        print(f"{ep:4d}  train {tot / len(tr):.4f}  test {v:.4f}  rmsep {v ** 0.5 * ps:.3f}  r2 {1 - v / yte.var():.3f}")
