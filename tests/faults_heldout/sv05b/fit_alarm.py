# Fits the pump alarm model: one hour of telemetry -> will the pump trip in the next shift (1) or not (0)
import os
import random
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

seed = int(os.environ.get("SEED", "21"))
random.seed(seed)
np.random.seed(seed)
torch.manual_seed(seed)

folder = Path(__file__).resolve().parent
features = ["flow", "vib_x", "vib_y", "temp", "current"]


def load(name):
    frame = pd.read_csv(folder / name)
    return frame[features].to_numpy(np.float32), frame["trip"].to_numpy(np.float32)


xt, yt = load("telemetry_train.csv")
xv, yv = load("telemetry_valid.csv")
mu, sd = xt.mean(0), xt.std(0)
xt, xv = (xt - mu) / sd, (xv - mu) / sd

loader = DataLoader(TensorDataset(torch.tensor(xt), torch.tensor(yt)), batch_size=64, shuffle=True)

model = nn.Sequential(
    nn.Linear(len(features), 32), nn.SiLU(),
    nn.Linear(32, 32), nn.SiLU(),
    nn.Linear(32, 1),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)


@torch.no_grad()
def report():
    model.eval()
    logit = model(torch.tensor(xv)).squeeze(1)
    target = torch.tensor(yv)
    loss = criterion(logit, target).item()
    pred = (logit > 0).float()
    tp = ((pred == 1) & (target == 1)).sum().item()
    fp = ((pred == 1) & (target == 0)).sum().item()
    fn = ((pred == 0) & (target == 1)).sum().item()
    tn = ((pred == 0) & (target == 0)).sum().item()
    return {
        "loss": loss,
        "acc": (tp + tn) / len(yv),
        "recall": tp / max(tp + fn, 1),
        "specificity": tn / max(tn + fp, 1),
        "f1": 2 * tp / max(2 * tp + fp + fn, 1),
    }


for epoch in range(1, 25):
    model.train()
    losses = []
    for xb, yb in loader:
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(xb).squeeze(1), yb)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    if epoch % 4 == 0:
        r = report()
        print(f"[{epoch:02d}] train {np.mean(losses):.4f} | " + " ".join(f"{k} {v:.3f}" for k, v in r.items()))

r = report()
print("final: balanced accuracy %.3f, f1 %.3f" % ((r["recall"] + r["specificity"]) / 2, r["f1"]))
