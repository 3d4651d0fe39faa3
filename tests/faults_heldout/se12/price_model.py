"""House price regression. Everything the user sees (loss, MAE) is in euro."""
import csv
import os

import numpy as np
import torch
from torch import nn

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sales.csv")
NUMERIC = ("area_m2", "rooms", "age_years", "distance_km", "floor", "garden", "energy_class")
DISTRICTS = ("garden_city", "harbour", "industrial", "old_town", "university")


def read():
    with open(DATA, newline="") as f:
        rows = list(csv.DictReader(f))
    num = np.array([[float(r[k]) for k in NUMERIC] for r in rows])
    onehot = np.array([[r["district"] == d for d in DISTRICTS] for r in rows], dtype=float)
    price = np.array([float(r["price_eur"]) for r in rows])
    return np.hstack([num, onehot]), price


class PriceNet(nn.Module):
    def __init__(self, x_mean, x_std, y_mean, y_std):
        super().__init__()
        self.register_buffer("x_mean", torch.tensor(x_mean, dtype=torch.float32))
        self.register_buffer("x_std", torch.tensor(x_std, dtype=torch.float32))
        self.register_buffer("y_mean", torch.tensor(y_mean, dtype=torch.float32))
        self.register_buffer("y_std", torch.tensor(y_std, dtype=torch.float32))
        self.net = nn.Sequential(
            nn.Linear(len(x_mean), 48), nn.SiLU(),
            nn.Linear(48, 48), nn.SiLU(),
            nn.Linear(48, 1),
        )

    def forward(self, x):
        z = self.net((x - self.x_mean) / self.x_std).squeeze(-1)
        return self.y_mean + self.y_std * z


np.random.seed(2)
torch.manual_seed(2)
x, y = read()
perm = np.random.permutation(len(y))
n_train = int(0.8 * len(y))
tr, va = perm[:n_train], perm[n_train:]
model = PriceNet(x[tr].mean(0), x[tr].std(0), y[tr].mean(), y[tr].std())
xt, yt = torch.tensor(x[tr], dtype=torch.float32), torch.tensor(y[tr], dtype=torch.float32)
xv, yv = torch.tensor(x[va], dtype=torch.float32), torch.tensor(y[va], dtype=torch.float32)

epochs, batch = 30, 64
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs, eta_min=3e-5)

for epoch in range(epochs):
    model.train()
    se = 0.0
    for idx in torch.randperm(n_train).split(batch):
        loss = ((model(xt[idx]) - yt[idx]) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        se += loss.item() * len(idx)
    sched.step()

    model.eval()
    with torch.no_grad():
        pred = model(xv)
        mse = ((pred - yv) ** 2).mean().item()
        mae = (pred - yv).abs().mean().item()
        r2 = 1 - mse / yv.var(unbiased=False).item()
    if epoch % 3 == 2 or epoch == 0:
        print("epoch %2d   train MSE %.3e   val MSE %.3e   val MAE %8.0f EUR   R2 %.4f" % (epoch + 1, se / n_train, mse, mae, r2))
