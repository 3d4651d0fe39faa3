# Calibration of a low-cost NO2 sensor against the reference station.
# Input: raw electrode voltages and weather of the last six hours, output: NO2 in ug/m3 at the reference.
from pathlib import Path

import numpy as np
import torch
from torch import nn

HISTORY = 6
EPOCHS = 40
BATCH = 64
LR = 2e-3
SEED = 17

torch.manual_seed(SEED)
torch.set_num_threads(1)
rng = np.random.default_rng(SEED)

table = np.genfromtxt(Path(__file__).with_name("colocation.csv"), delimiter=",", names=True)
inputs = ["we_no2", "ae_no2", "we_o3", "ae_o3", "temperature", "humidity", "pressure"]
features = np.stack([table[name] for name in inputs], axis=1)
reference = table["reference"]
print(f"{len(table)} hours, {len(inputs)} channels, reference mean {reference.mean():.1f} ug/m3")

n_train = int(0.75 * len(table))
center = np.nanmedian(features[:n_train], axis=0)
low, high = np.nanpercentile(features[:n_train], [10, 90], axis=0)
features = (features - center) / (high - low)
ref_mean, ref_std = reference[:n_train].mean(), reference[:n_train].std()

windows = np.lib.stride_tricks.sliding_window_view(features, HISTORY, axis=0)
X = torch.tensor(np.ascontiguousarray(windows), dtype=torch.float32)
y = torch.tensor((reference[HISTORY - 1:] - ref_mean) / ref_std, dtype=torch.float32)
n_train -= HISTORY
X_train, y_train = X[:n_train], y[:n_train]
X_test, y_test = X[n_train + HISTORY:], y[n_train + HISTORY:]


class Calibrator(nn.Module):
    def __init__(self, channels, history, hidden=48):
        super().__init__()
        self.temporal = nn.Sequential(nn.Conv1d(channels, hidden, 3), nn.SiLU(), nn.Conv1d(hidden, hidden, 3), nn.SiLU())
        self.skip = nn.Linear(channels, hidden)
        self.head = nn.Sequential(nn.Linear(hidden * (history - 3), hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        h = self.temporal(x).flatten(1)
        h = torch.cat([h, self.skip(x[:, :, -1])], dim=1)
        return self.head(h).squeeze(1)


model = Calibrator(len(inputs), HISTORY)
optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=1e-2)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)

for epoch in range(1, EPOCHS + 1):
    model.train()
    losses = []
    order = torch.from_numpy(rng.permutation(n_train))
    for rows in order.split(BATCH):
        loss = nn.functional.mse_loss(model(X_train[rows]), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()

    if epoch % 4 == 0 or epoch == 1:
        model.eval()
        with torch.no_grad():
            residual = model(X_test) - y_test
        rmse = residual.pow(2).mean().sqrt().item() * ref_std
        r2 = 1 - (residual.pow(2).mean() / y_test.var()).item()
        print(f"epoch {epoch:3d}  train mse {np.mean(losses):.4f}  test rmse {rmse:.2f} ug/m3  r2 {r2:.3f}")
