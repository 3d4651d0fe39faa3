import csv
import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from callbacks import EarlyStopping

torch.manual_seed(11)
np.random.seed(11)

with open("building_load.csv") as fh:
    rows = list(csv.DictReader(fh))

hour = np.array([int(r["hour"]) for r in rows])
dow = np.array([int(r["dow"]) for r in rows])
num = np.array([[float(r[k]) for k in ("temp_c", "wind", "humidity", "occupancy")] for r in rows])
target = np.array([float(r["load_kw"]) for r in rows])

feats = np.column_stack([
    np.sin(2 * math.pi * hour / 24), np.cos(2 * math.pi * hour / 24),
    np.eye(7)[dow], num,
]).astype("float32")

order = np.random.permutation(len(feats))
tr, va, te = order[:1600], order[1600:2000], order[2000:]
mu, sd = feats[tr].mean(0), feats[tr].std(0) + 1e-6
feats = (feats - mu) / sd
t_mu, t_sd = target[tr].mean(), target[tr].std()
y = ((target - t_mu) / t_sd).astype("float32")[:, None]


def ds(idx):
    return TensorDataset(torch.from_numpy(feats[idx]), torch.from_numpy(y[idx]))


train_dl = DataLoader(ds(tr), batch_size=64, shuffle=True)
val_dl = DataLoader(ds(va), batch_size=400)
test_dl = DataLoader(ds(te), batch_size=400)

model = nn.Sequential(nn.Linear(feats.shape[1], 96), nn.SiLU(), nn.Linear(96, 96), nn.SiLU(), nn.Linear(96, 1))
opt = torch.optim.AdamW(model.parameters(), lr=7e-4, weight_decay=1e-3)
loss_fn = nn.MSELoss()


@torch.no_grad()
def evaluate(dl):
    model.eval()
    se = n = 0
    for xb, yb in dl:
        se += ((model(xb) - yb) ** 2).sum().item()
        n += len(xb)
    return se / n


stopper = EarlyStopping(patience=8)
for epoch in range(80):
    model.train()
    running = 0.0
    for xb, yb in train_dl:
        opt.zero_grad()
        loss = loss_fn(model(xb), yb)
        loss.backward()
        opt.step()
        running += loss.item() * len(xb)
    val = evaluate(val_dl)
    print(f"epoch {epoch:3d}  train mse {running / len(tr):.4f}  val mse {val:.4f}")
    if stopper.step(val, model):
        print("early stop at epoch", epoch)
        break

stopper.restore(model)
print(f"test RMSE {t_sd * math.sqrt(evaluate(test_dl)):.2f} kW")
