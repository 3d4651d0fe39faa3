"""Day-ahead load forecast for one substation, starting from the fleet trunk."""
import os

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from tcn import Forecaster

HERE = os.path.dirname(os.path.abspath(__file__))
CONTEXT, HORIZON = 72, 24
EPOCHS, BATCH, LR = 10, 64, 2e-3

torch.manual_seed(0)

raw = np.genfromtxt(os.path.join(HERE, "substation_17.csv"), delimiter=",", names=True)
load, temp, hour = raw["load_mw"], raw["temp_c"], raw["hour"]
cut = int(len(load) * 0.8)
mu, sd = load[:cut].mean(), load[:cut].std()
z = (load - mu) / sd
feats = np.stack([
    z,
    (temp - temp[:cut].mean()) / temp[:cut].std(),
    np.sin(2 * np.pi * hour / 24),
    ((hour // 24) % 7 >= 5).astype(float),
]).astype(np.float32)


def windows(lo, hi, stride):
    xs, ys = [], []
    for s in range(lo, hi - CONTEXT - HORIZON + 1, stride):
        xs.append(feats[:, s:s + CONTEXT])
        ys.append(z[s + CONTEXT:s + CONTEXT + HORIZON])
    return TensorDataset(torch.tensor(np.array(xs)), torch.tensor(np.array(ys), dtype=torch.float32))


train_set = windows(0, cut, 2)
test_set = windows(cut, len(z), 6)
train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
test_loader = DataLoader(test_set, batch_size=256)

model = Forecaster(HORIZON)
fleet = torch.load(os.path.join(HERE, "trunk.pt"), weights_only=True)
model.trunk.load_state_dict(fleet["trunk"])
print("fleet trunk: trained on %d sites, %d steps" % (fleet["sites"], fleet["steps"]))

opt = torch.optim.Adam(model.parameters(), lr=LR)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(train_loader))


def evaluate():
    model.eval()
    err = []
    with torch.no_grad():
        for x, y in test_loader:
            err.append((model(x) - y).abs() * sd)
    model.train()
    return torch.cat(err).mean().item()


last_day = np.mean([np.abs(z[i:i + HORIZON] - z[i - HORIZON:i]).mean() * sd for i in range(cut + CONTEXT, len(z) - HORIZON, 6)])
print(f"repeat-last-day MAE {last_day:.1f} MW, load std {sd:.1f} MW")

for epoch in range(EPOCHS):
    total = 0.0
    for x, y in train_loader:
        loss = torch.nn.functional.huber_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(x)
    print(f"epoch {epoch + 1:2d}  train huber {total / len(train_set):.4f}  test MAE {evaluate():6.2f} MW", flush=True)
