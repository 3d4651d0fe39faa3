import copy
import json
import sys

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cfg = json.load(open("config.json"))
if len(sys.argv) > 1:
    cfg["seed"] = int(sys.argv[1])
torch.manual_seed(cfg["seed"])
rng = np.random.default_rng(cfg["seed"])

df = pd.read_csv(cfg["csv"])
angle = 2 * np.pi * df["hour"] / 24
feats = pd.DataFrame({
    "outdoor": df["outdoor_c"],
    "humidity": df["humidity"],
    "wind": df["wind_ms"],
    "sin_h": np.sin(angle),
    "cos_h": np.cos(angle),
    "workday": (df["weekday"] < 5).astype(float),
    "occupants": df["occupants"],
    "area": df["floor_m2"],
}).to_numpy(np.float32)
target = df["kwh"].to_numpy(np.float32)[:, None]

idx = rng.permutation(len(df))
n_test, n_val = len(df) // 5, len(df) // 5
test_i, val_i, train_i = idx[:n_test], idx[n_test:n_test + n_val], idx[n_test + n_val:]
mu, sd = feats[train_i].mean(0), feats[train_i].std(0)
t_mu, t_sd = float(target[train_i].mean()), float(target[train_i].std())


def tensors(i):
    return torch.from_numpy((feats[i] - mu) / sd), torch.from_numpy((target[i] - t_mu) / t_sd)


train_loader = DataLoader(TensorDataset(*tensors(train_i)), cfg["batch_size"], shuffle=True)
xv, yv = tensors(val_i)
xt, yt = tensors(test_i)

net = nn.Sequential(nn.Linear(feats.shape[1], cfg["hidden"]), nn.SiLU(), nn.Linear(cfg["hidden"], 1))
opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
mse = nn.MSELoss()

best, best_state = float("inf"), None
for epoch in range(1, cfg["epochs"] + 1):
    net.train()
    tot = 0.0
    for xb, yb in train_loader:
        opt.zero_grad(set_to_none=True)
        loss = mse(net(xb), yb)
        loss.backward()
        opt.step()
        tot += loss.item() * len(xb)
    sched.step()
    net.eval()
    with torch.no_grad():
        val = mse(net(xv), yv).item()
    if val < best:
        best, best_state = val, copy.deepcopy(net.state_dict())
    if epoch % 5 == 0:
        print(f"{epoch:3d} train_mse={tot / len(train_i):.4f} val_mse={val:.4f}")

net.load_state_dict(best_state)
net.eval()
with torch.no_grad():
    pred = net(xt) * t_sd + t_mu
truth = yt * t_sd + t_mu
mae = (pred - truth).abs().mean().item()
r2 = 1 - ((pred - truth) ** 2).sum().item() / ((truth - truth.mean()) ** 2).sum().item()
print(f"test MAE {mae:.2f} kWh   R2 {r2:.3f}")
