"""Freight cost model: predicts the invoiced amount of a shipment from the order data."""
import argparse

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--train", default="data/shipments_train.csv")
parser.add_argument("--valid", default="data/shipments_valid.csv")
parser.add_argument("--epochs", type=int, default=60)
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

torch.manual_seed(args.seed)

ZONES = ["north", "south", "east", "alpine"]


def features(df):
    numeric = np.stack(
        [
            np.log(df["weight_kg"]),
            np.log(df["distance_km"]),
            np.log(df["volume_m3"]),
            df["stops"],
        ],
        axis=1,
    ).astype("float32")
    flags = df[["express", "hazardous"]].to_numpy("float32")
    zone = np.stack([(df["zone"] == z).to_numpy("float32") for z in ZONES], axis=1)
    return numeric, np.concatenate([flags, zone], axis=1)


train_df = pd.read_csv(args.train)
valid_df = pd.read_csv(args.valid)

num_tr, cat_tr = features(train_df)
num_va, cat_va = features(valid_df)
mean, std = num_tr.mean(0), num_tr.std(0)
x_tr = torch.from_numpy(np.concatenate([(num_tr - mean) / std, cat_tr], axis=1))
x_va = torch.from_numpy(np.concatenate([(num_va - mean) / std, cat_va], axis=1))

log_tr = np.log(train_df["amount_eur"].to_numpy("float32"))
log_va = np.log(valid_df["amount_eur"].to_numpy("float32"))
t_mean, t_std = float(log_tr.mean()), float(log_tr.std())
y_tr = torch.from_numpy((log_tr - t_mean) / t_std).unsqueeze(1)
y_va = torch.from_numpy((log_va - t_mean) / t_std).unsqueeze(1)
amount_va = torch.from_numpy(valid_df["amount_eur"].to_numpy("float32"))

loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=args.batch_size, shuffle=True)

model = nn.Sequential(
    nn.Linear(x_tr.shape[1], 48),
    nn.SiLU(),
    nn.Linear(48, 48),
    nn.SiLU(),
    nn.Linear(48, 1),
)
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
criterion = nn.MSELoss()


@torch.no_grad()
def evaluate():
    model.eval()
    pred = model(x_va)
    loss = criterion(pred, y_va).item()
    amount = torch.exp(pred.squeeze(1) * t_std + t_mean)
    mae = (amount - amount_va).abs().mean().item()
    mape = ((amount - amount_va).abs() / amount_va).mean().item()
    return loss, mae, mape


for epoch in range(1, args.epochs + 1):
    model.train()
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(xb)
    scheduler.step()
    if epoch == 1 or epoch % 5 == 0:
        val_loss, mae, mape = evaluate()
        print(
            f"epoch {epoch:3d}  train {total / len(x_tr):.4f}  valid {val_loss:.4f}  "
            f"MAE {mae:7.2f} EUR  MAPE {100 * mape:5.1f}%"
        )

val_loss, mae, mape = evaluate()
print(f"final  MAE {mae:.2f} EUR  MAPE {100 * mape:.1f}%")
