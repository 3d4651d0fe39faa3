#!/usr/bin/env python
# coding: utf-8
# Exported from load_forecast.ipynb

# In[1]:
import csv
import os

import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(3)
HERE = os.path.dirname(os.path.abspath(__file__))
LOOKBACK, HORIZON = 48, 12

# In[2]:
with open(os.path.join(HERE, "load.csv")) as f:
    series = np.array([float(r["mw"]) for r in csv.DictReader(f)], dtype=np.float32)
print(len(series), "hours", series.mean(), series.std())

n_train = int(0.75 * len(series))
mu, sigma = series[:n_train].mean(), series[:n_train].std()
series = (series - mu) / sigma


# In[3]:
def windows(lo, hi):
    """All (history, future) pairs whose samples lie in [lo, hi)."""
    last = hi - LOOKBACK - HORIZON + 1
    past = np.stack([series[lo:lo + LOOKBACK] for s in range(lo, last)])
    future = np.stack([series[s + LOOKBACK:s + LOOKBACK + HORIZON] for s in range(lo, last)])
    return torch.from_numpy(past).unsqueeze(-1), torch.from_numpy(future)


x_train, y_train = windows(0, n_train)
x_val, y_val = windows(n_train, len(series))
print(x_train.shape, y_train.shape, x_val.shape, y_val.shape)


# In[4]:
class GRUForecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, HORIZON)

    def forward(self, x):
        out, _ = self.gru(x)
        return self.head(out[:, -1])


model = GRUForecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
loss_fn = nn.L1Loss()

# In[5]:
history = []
BATCH = 128
for epoch in range(6):
    model.train()
    perm = torch.randperm(len(x_train))
    losses = []
    for i in range(0, len(perm), BATCH):
        idx = perm[i:i + BATCH]
        loss = loss_fn(model(x_train[idx]), y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        val = loss_fn(model(x_val), y_val).item()
    history.append((np.mean(losses), val))
    print(f"epoch {epoch + 1}: train MAE {np.mean(losses) * sigma:.2f} MW, val MAE {val * sigma:.2f} MW")

# In[6]:
best = min(h[1] for h in history)
print("best val MAE: %.2f MW" % (best * sigma))
