# hourly load forecast for one office building
from pathlib import Path

import numpy as np
import pandas as pd
import torch
import torch.nn as nn

SEED = 3
HIST = 36
BATCH = 64
EPOCHS = 10

torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)

# --- load -----------------------------------------------------------------
df = pd.read_csv(Path(__file__).parent / "building.csv")
print(df.shape, list(df.columns))

df["sin_h"] = np.sin(2 * np.pi * df["hour"] / 24)
df["cos_h"] = np.cos(2 * np.pi * df["hour"] / 24)
cols = ["temp", "humidity", "occupancy", "sin_h", "cos_h", "load"]

n_train = int(len(df) * 0.8)
mean, std = df[cols][:n_train].mean(), df[cols][:n_train].std()
z = ((df[cols] - mean) / std).to_numpy(dtype=np.float32)

# --- windows --------------------------------------------------------------
# history of HIST hours -> load in the next hour
X = np.stack([z[i : i + HIST] for i in range(len(z) - HIST)])
y = z[HIST:, cols.index("load")]
cut = n_train - HIST
X_train, y_train = torch.from_numpy(X[:cut]), torch.from_numpy(y[:cut])
X_val, y_val = torch.from_numpy(X[n_train:]), torch.from_numpy(y[n_train:])
print("train windows", len(X_train), "val windows", len(X_val))


# --- model ----------------------------------------------------------------
class LoadNet(nn.Module):
    def __init__(self, n_in, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h[:, -1]).squeeze(-1)


net = LoadNet(len(cols))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
huber = nn.SmoothL1Loss()

# --- fit ------------------------------------------------------------------
for epoch in range(EPOCHS):
    net.train()
    order = torch.from_numpy(rng.permutation(len(X_train)))
    total = 0.0
    for k in range(0, len(order), BATCH):
        idx = order[k : k + BATCH]
        loss = huber(net(X_train[idx]), y_train[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        total += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        err = (net(X_val) - y_val).abs().mean().item() * std["load"]
    print(f"epoch {epoch:2d}  train {total / len(order):.4f}  val MAE {err:.2f} kW")
