from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def load(path, holdout=0.2):
    z = np.load(path)
    weather = torch.tensor(z["weather"], dtype=torch.float32)
    hour = torch.tensor(z["hour"], dtype=torch.long)
    kw = torch.tensor(z["power_kw"], dtype=torch.float32)
    scale = kw.abs().mean()
    n = int(len(kw) * (1 - holdout))
    mean, std = weather[:n].mean(0), weather[:n].std(0)
    weather = (weather - mean) / std
    kw = kw / scale
    return (weather[:n], hour[:n], kw[:n]), (weather[n:], hour[n:], kw[n:]), scale.item()


class FeederModel(nn.Module):
    """Power drawn by a feeder given the weather and the hour of the day."""

    def __init__(self, n_weather, dim=16, width=64):
        super().__init__()
        self.hour = nn.Embedding(24, dim)
        self.net = nn.Sequential(
            nn.Linear(n_weather + dim, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 1), nn.Softplus(),
        )

    def forward(self, weather, hour):
        return self.net(torch.cat([weather, self.hour(hour)], dim=1)).squeeze(1)


def fit(model, train, val, scale, epochs=45, bs=96):
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    n = len(train[2])
    for ep in range(epochs):
        perm = torch.randperm(n)
        tot = 0.0
        for s in range(0, n, bs):
            w, h, kw = (t[perm[s:s + bs]] for t in train)
            loss = F.mse_loss(model(w, h), kw)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(kw)
        sched.step()
        if ep % 4 == 0 or ep == epochs - 1:
            with torch.no_grad():
                pred = model(val[0], val[1])
            mae = (pred - val[2]).abs().mean().item() * scale
            r2 = 1 - F.mse_loss(pred, val[2]).item() / val[2].var(unbiased=False).item()
            print(f"ep {ep:3d}  train mse {tot / n:.4f}  val mae {mae:.2f} kW  val r2 {r2:.3f}")


if __name__ == "__main__":
    torch.manual_seed(77)
    tr, va, scale = load(Path(__file__).parent / "feeder.npz")
    fit(FeederModel(tr[0].shape[1]), tr, va, scale)
