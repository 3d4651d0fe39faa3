"""Price model for second-hand flats (MLP on a handful of tabular columns)."""
import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).parent
EPOCHS = 60
BATCH = 64
ENERGY = "ABCDEFG"

torch.manual_seed(7)
np.random.seed(7)


def read_table(path):
    numeric, energy, price = [], [], []
    with open(path) as fh:
        for row in csv.DictReader(fh):
            numeric.append([float(row["area_m2"]), float(row["rooms"]), float(row["age"]),
                            float(row["dist_center_km"]), float(row["floor"]), float(row["lift"])])
            energy.append(ENERGY.index(row["energy_class"]))
            price.append(float(row["price_eur"]))
    onehot = np.eye(len(ENERGY), dtype=np.float32)[energy]
    return np.asarray(numeric, np.float32), onehot, np.asarray(price, np.float32)


numeric, onehot, price = read_table(HERE / "flats.csv")
perm = np.random.permutation(len(price))
n_val = len(price) // 5
val_idx, tr_idx = perm[:n_val], perm[n_val:]

mean, std = numeric[tr_idx].mean(0), numeric[tr_idx].std(0)
features = np.concatenate([(numeric - mean) / std, onehot], axis=1).astype(np.float32)

log_price = np.log(price)
t_mean, t_std = log_price[tr_idx].mean(), log_price[tr_idx].std()
target = ((log_price - t_mean) / t_std)[:, None].astype(np.float32)

train_set = TensorDataset(torch.from_numpy(features[tr_idx]), torch.from_numpy(target[tr_idx]))
loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
x_val = torch.from_numpy(features[val_idx])
y_val = torch.from_numpy(target[val_idx])

model = nn.Sequential(
    nn.Linear(features.shape[1], 32), nn.ReLU(),
    nn.Linear(32, 32), nn.ReLU(),
    nn.Linear(32, 1),
)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)
criterion = nn.SmoothL1Loss(beta=0.5)


@torch.no_grad()
def evaluate():
    model.eval()
    pred = model(x_val)
    loss = criterion(pred, y_val).item()
    eur = np.exp(pred.squeeze(1).numpy() * t_std + t_mean)
    true = price[val_idx]
    mape = np.mean(np.abs(eur - true) / true)
    r2 = 1 - np.sum((eur - true) ** 2) / np.sum((true - true.mean()) ** 2)
    return loss, mape, r2


for epoch in range(1, EPOCHS + 1):
    model.train()
    running, seen = 0.0, 0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(xb)
        seen += len(xb)
    scheduler.step()
    if epoch % 5 == 0 or epoch == 1:
        vl, mape, r2 = evaluate()
        print(f"epoch {epoch:3d}  train {running / seen:.4f}  val {vl:.4f}  MAPE {100 * mape:.1f}%  R2 {r2:.3f}")
