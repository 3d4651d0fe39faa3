import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn

FILE = Path(__file__).parent / "listings.csv"
NUMERIC = ["area_m2", "rooms", "floor", "year_built", "distance_center_km", "plot_m2", "country_code"]
ENERGY = "ABCDEFG"
rng = np.random.default_rng(0)
torch.manual_seed(0)


def load():
    with open(FILE, newline="") as fh:
        rows = list(csv.DictReader(fh))
    # listings are re-posted now and then; keep one copy of each
    unique = list({tuple(r.values()): r for r in rows}.values())
    x = np.array([[float(r[c]) if r[c] else np.nan for c in NUMERIC] for r in unique])
    energy = np.array([ENERGY.index(r["energy_class"]) for r in unique])
    price = np.array([float(r["price"]) for r in unique])
    print(f"{len(rows)} rows, {len(unique)} unique")
    return x, energy, price


def prepare(x, energy, stats=None):
    x = x.copy()
    x[:, [0, 5]] = np.log1p(x[:, [0, 5]])
    if stats is None:
        med = np.nanmedian(x, axis=0)
        iqr = np.nanpercentile(x, 75, axis=0) - np.nanpercentile(x, 25, axis=0)
        stats = med, np.where(iqr > 0, iqr, 1.0)
    med, iqr = stats
    missing = np.isnan(x).any(axis=1, keepdims=True)
    x = np.where(np.isnan(x), med, x)
    x = np.clip((x - med) / iqr, -4, 4)
    full = np.hstack([x, missing, np.eye(len(ENERGY))[energy]])
    return torch.tensor(full, dtype=torch.float32), stats


x, energy, price = load()
order = rng.permutation(len(x))
cut = int(0.8 * len(x))
tr, va = order[:cut], order[cut:]
x_tr, stats = prepare(x[tr], energy[tr])
x_va, _ = prepare(x[va], energy[va], stats)
log_price = torch.tensor(np.log(price), dtype=torch.float32).unsqueeze(1)
mu, sd = log_price[tr].mean(), log_price[tr].std()
y_tr, y_va = (log_price[tr] - mu) / sd, (log_price[va] - mu) / sd

net = nn.Sequential(
    nn.Linear(x_tr.shape[1], 64), nn.SiLU(),
    nn.Linear(64, 64), nn.SiLU(),
    nn.Linear(64, 1),
)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
epochs, batch = 30, 64
sched = torch.optim.lr_scheduler.OneCycleLR(
    opt, max_lr=4e-3, epochs=epochs, steps_per_epoch=-(-len(x_tr) // batch)
)
criterion = nn.HuberLoss(delta=1.0)

for epoch in range(1, epochs + 1):
    net.train()
    total = 0.0
    for idx in torch.randperm(len(x_tr)).split(batch):
        loss = criterion(net(x_tr[idx]), y_tr[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        sched.step()
        total += loss.item() * len(idx)
    if epoch % 3 == 0:
        net.eval()
        with torch.no_grad():
            pred = net(x_va)
            val = criterion(pred, y_va).item()
            r2 = 1 - ((pred - y_va) ** 2).sum() / ((y_va - y_va.mean()) ** 2).sum()
            ape = (torch.exp((pred - y_va) * sd) - 1).abs().median()
        print(f"epoch {epoch:2d} train {total / len(x_tr):.4f} val {val:.4f} r2 {r2:.3f} median ape {100 * ape:.1f}%")
