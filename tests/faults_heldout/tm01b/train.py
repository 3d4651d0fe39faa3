"""Quantile forecast of next-hour PM2.5 at a single station."""
import numpy as np
import pandas as pd
import torch
from torch import nn

SEED = 11
torch.manual_seed(SEED)
np.random.seed(SEED)

QUANTILES = torch.tensor([0.1, 0.5, 0.9])
EPOCHS = 30
BATCH = 64

df = pd.read_csv("station_17.csv", parse_dates=["time"])

hour = df["time"].dt.hour + 1          # hour that is being predicted
df["h_sin"] = np.sin(2 * np.pi * hour / 24)
df["h_cos"] = np.cos(2 * np.pi * hour / 24)
df["lpm"] = np.log(df["pm25"])
df["lpm_1"] = df["lpm"].shift(1)
df["lpm_2"] = df["lpm"].shift(2)
df["lwind"] = np.log(df["wind"])
df["target"] = df["lpm"].shift(-1)

features = ["lpm", "lpm_1", "lpm_2", "temp", "rh", "lwind", "pressure", "h_sin", "h_cos"]
df = df.iloc[2:-1].reset_index(drop=True)

n_train = int(0.75 * len(df))
train_df, test_df = df.iloc[:n_train], df.iloc[n_train:]
mu, sd = train_df[features].mean(), train_df[features].std()
y_mu, y_sd = train_df["target"].mean(), train_df["target"].std()


def to_xy(part):
    x = ((part[features] - mu) / sd).to_numpy(np.float32)
    y = ((part["target"] - y_mu) / y_sd).to_numpy(np.float32)
    return torch.from_numpy(x), torch.from_numpy(y)


x_train, y_train = to_xy(train_df)
x_test, y_test = to_xy(test_df)


def pinball(pred, y):
    diff = y.unsqueeze(1) - pred
    return torch.maximum(QUANTILES * diff, (QUANTILES - 1) * diff).mean()


model = nn.Sequential(
    nn.Linear(len(features), 32), nn.ReLU(),
    nn.Linear(32, 32), nn.ReLU(),
    nn.Linear(32, len(QUANTILES)),
)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-5)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS, eta_min=1e-5)

for epoch in range(EPOCHS):
    model.train()
    perm = torch.randperm(len(x_train))
    total = 0.0
    for i in range(0, len(perm), BATCH):
        idx = perm[i:i + BATCH]
        optimizer.zero_grad()
        loss = pinball(model(x_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    scheduler.step()

    model.eval()
    with torch.no_grad():
        test_loss = pinball(model(x_test), y_test).item()
    if epoch % 3 == 0 or epoch == EPOCHS - 1:
        print(f"epoch {epoch:2d}  train pinball {total / len(x_train):.4f}  test pinball {test_loss:.4f}")

# report in ug/m3
with torch.no_grad():
    q = np.exp(model(x_test).numpy() * y_sd + y_mu)
obs = np.exp(test_df["target"].to_numpy())
mae = np.abs(q[:, 1] - obs).mean()
mae_persist = np.abs(test_df["pm25"].to_numpy() - obs).mean()
inside = ((obs >= q[:, 0]) & (obs <= q[:, 2])).mean()
print(f"median MAE {mae:.2f} ug/m3 (persistence {mae_persist:.2f}), 10-90 coverage {inside:.2%}, "
      f"width {np.mean(q[:, 2] - q[:, 0]):.2f}")
