"""24-hour-ahead load forecast from the last 72 hours."""
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent
hp = json.loads((HERE / "hparams.json").read_text())
torch.manual_seed(hp["seed"])
rng = np.random.default_rng(hp["seed"])

hours = np.arange(24 * 160)
weekday = (hours // 24) % 7
level = 100 + 10 * np.sin(2 * np.pi * hours / (24 * 90))
daily = 18 * np.sin(2 * np.pi * (hours % 24 - 7) / 24) + 7 * np.sin(4 * np.pi * (hours % 24 - 3) / 24)
daily = daily * np.where(weekday >= 5, 0.55, 1.0)
ar = np.zeros(len(hours))
for t in range(1, len(hours)):
    ar[t] = 0.92 * ar[t - 1] + rng.normal(0, 1.6)
load = level + daily + ar

split = 24 * 128
mean, std = load[:split].mean(), load[:split].std()
z = torch.tensor((load - mean) / std, dtype=torch.float32)
calendar = torch.tensor(np.stack([np.sin(2 * np.pi * hours / 24), np.cos(2 * np.pi * hours / 24),
                                  np.sin(2 * np.pi * hours / 168), np.cos(2 * np.pi * hours / 168)], 1), dtype=torch.float32)
PAST, AHEAD = hp["past"], hp["horizon"]


def windows(lo, hi, stride):
    starts = torch.arange(lo, hi - PAST - AHEAD + 1, stride)
    past = starts[:, None] + torch.arange(PAST)
    fut = starts[:, None] + PAST + torch.arange(AHEAD)
    return torch.cat([z[past][..., None], calendar[past]], -1), z[fut]


x_tr, y_tr = windows(0, split, 3)
x_te, y_te = windows(split, len(hours), 12)


class Forecaster(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.gru = nn.GRU(6 * 5, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, AHEAD))

    def forward(self, x):
        # six hours make one step of the encoder
        b = x.shape[0]
        _, h = self.gru(x.reshape(b, PAST // 6, -1))
        return self.out(h[-1])


model = Forecaster()
opt = torch.optim.Adam(model.parameters(), lr=hp["lr"])
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=hp["epochs"] // 2, gamma=0.5)
naive = (x_te[:, -24:, 0] - y_te).abs().mean().item() * std
print(f"same hour yesterday: MAE {naive:.2f} MW")
for epoch in range(hp["epochs"]):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x_tr)).split(hp["batch"]):
        loss = nn.functional.mse_loss(model(x_tr[idx]), y_tr[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        total += loss.item() * len(idx)
    sched.step()
    model.eval()
    with torch.no_grad():
        mae = (model(x_te) - y_te).abs().mean().item() * std
    print(f"epoch {epoch + 1:2d}  train mse {total / len(x_tr):.4f}  test MAE {mae:.2f} MW")
