"""Power curve model for one turbine, fitted on 10-minute SCADA averages."""
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

HERE = Path(__file__).parent
torch.manual_seed(17)
rng = np.random.default_rng(17)

EPOCHS = 40
BATCH = 64
DELTA = 0.5

scada = np.load(HERE / "scada.npz")
x = scada["features"].astype(np.float32)
power = scada["power_kw"].astype(np.float32)

order = rng.permutation(len(x))
tr, va = order[:1600], order[1600:]

mu, sd = x[tr].mean(0), x[tr].std(0)
x = (x - mu) / sd
p_mean, p_std = power[tr].mean(), power[tr].std()
y = (power - p_mean) / p_std

x_tr, y_tr = torch.from_numpy(x[tr]), torch.from_numpy(y[tr])
x_va, y_va = torch.from_numpy(x[va]), torch.from_numpy(y[va])

model = nn.Sequential(
    nn.Linear(x.shape[1], 64), nn.SiLU(),
    nn.Linear(64, 64), nn.SiLU(),
    nn.Linear(64, 1),
)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)


def pseudo_huber(pred, target):
    r = (pred - target) / DELTA
    return (DELTA ** 2 * (torch.sqrt(1 + r * r) - 1)).mean()


def mae_kw(inputs, kw):
    model.eval()
    with torch.no_grad():
        out = model(inputs).numpy().reshape(-1) * p_std + p_mean
    return float(np.abs(out - kw.reshape(-1)).mean())


for epoch in range(EPOCHS):
    model.train()
    total, seen = 0.0, 0
    perm = torch.randperm(len(x_tr))
    for i in range(0, len(perm), BATCH):
        idx = perm[i:i + BATCH]
        pred = model(x_tr[idx]).squeeze(-1)
        loss = pseudo_huber(pred, y_tr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
        seen += len(idx)
    sched.step()
    if epoch % 4 == 3 or epoch == 0:
        print(f"epoch {epoch + 1:3d}  loss {total / seen:.4f}  "
              f"MAE train {mae_kw(x_tr, power[tr]):7.1f} kW  valid {mae_kw(x_va, power[va]):7.1f} kW")

print(f"final MAE {mae_kw(x_va, power[va]):.1f} kW (rated 2050 kW)")
