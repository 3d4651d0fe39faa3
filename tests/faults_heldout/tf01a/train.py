"""Soil organic carbon from vis-NIR reflectance (calibration set -> validation set)."""
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DATA = Path(__file__).parent / "data"
SEED = 11
EPOCHS = 120
BATCH = 32
LR = 2e-3

torch.manual_seed(SEED)
np.random.seed(SEED)


def load():
    z = np.load(DATA / "spectra.npz")
    spectra = pd.DataFrame(np.log10(10000.0 / z["reflectance"]), index=z["sample"])
    lab = pd.read_csv(DATA / "soc.csv").set_index("sample")
    x = spectra.loc[lab.index].to_numpy(dtype=np.float32)
    # standard normal variate, removes the multiplicative scatter of the grinding
    x = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    y = np.log(lab["soc_g_kg"].to_numpy(dtype=np.float32))
    cal = (lab["set"] == "cal").to_numpy()
    return x, y, cal


x, y, cal = load()
mu, sd = x[cal].mean(0), x[cal].std(0)
x = (x - mu) / sd
y_mu, y_sd = y[cal].mean(), y[cal].std()
t = (y - y_mu) / y_sd

x_cal, t_cal = torch.from_numpy(x[cal]), torch.from_numpy(t[cal])[:, None]
x_val = torch.from_numpy(x[~cal])
y_val = np.exp(y[~cal])
t_val = torch.from_numpy(t[~cal])[:, None]
print(f"{len(x_cal)} calibration samples, {len(x_val)} validation samples, {x.shape[1]} bands")

model = nn.Sequential(
    nn.Linear(x.shape[1], 48), nn.GELU(), nn.Dropout(0.1),
    nn.Linear(48, 24), nn.GELU(),
    nn.Linear(24, 1),
)
opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.05)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
loader = DataLoader(TensorDataset(x_cal, t_cal), batch_size=BATCH, shuffle=True)

for epoch in range(1, EPOCHS + 1):
    model.train()
    total = 0.0
    for xb, tb in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(xb), tb)
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
    sched.step()
    if epoch % 10 == 0:
        model.eval()
        with torch.no_grad():
            val = nn.functional.mse_loss(model(x_val), t_val).item()
        print(f"epoch {epoch:3d}  cal mse {total / len(x_cal):.4f}  val mse {val:.4f}")

model.eval()
with torch.no_grad():
    pred = np.exp(model(x_val).squeeze(1).numpy() * y_sd + y_mu)
rmse = float(np.sqrt(np.mean((pred - y_val) ** 2)))
r2 = 1.0 - float(np.sum((pred - y_val) ** 2) / np.sum((y_val - y_val.mean()) ** 2))
print(f"validation  RMSE {rmse:.2f} g/kg  R2 {r2:.3f}  RPD {y_val.std() / rmse:.2f}")
