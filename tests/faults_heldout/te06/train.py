"""Street level NO2 from traffic and weather.

The low-cost nodes are many and cheap, the reference station is the calibrated analyser of the agency.
"""
import configparser

import numpy as np
import pandas as pd
import torch
from torch import nn


class NO2Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.layers(x)[:, 0]


class Scaler:
    def __init__(self, x):
        self.mean, self.std = x.mean(0), x.std(0)

    def __call__(self, x):
        return (x - self.mean) / self.std

    def back(self, x):
        return x * self.std + self.mean


def read(path):
    df = pd.read_csv(path)
    h = df["hour"].to_numpy() * 2 * np.pi / 24
    cols = [df[c].to_numpy() for c in ("traffic_idx", "wind_ms", "temp_c", "rh_pct", "o3_ppb")]
    cols += [np.sin(h), np.cos(h), np.sin(2 * h), np.cos(2 * h)]
    x = torch.tensor(np.stack(cols, 1), dtype=torch.float32)
    return x, torch.tensor(df["no2"].to_numpy(), dtype=torch.float32)


def main():
    ini = configparser.ConfigParser()
    ini.read("settings.ini")
    fit = ini["fit"]
    torch.manual_seed(fit.getint("seed"))

    x, y = read(ini["data"]["train"])
    xc, yc = read(ini["data"]["check"])
    sx, sy = Scaler(x), Scaler(y)
    x, xc, t = sx(x), sx(xc), sy(y)

    model = NO2Model(x.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=fit.getfloat("lr"), weight_decay=fit.getfloat("weight_decay"))
    epochs = fit.getint("epochs")
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: max(0.02, 1 - e / epochs))
    for epoch in range(epochs):
        model.train()
        tot = 0.0
        for idx in torch.randperm(len(x)).split(fit.getint("batch")):
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(x[idx]), t[idx])
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        sched.step()
        model.eval()
        with torch.no_grad():
            pred = sy.back(model(xc))
            check = nn.functional.mse_loss(model(xc), sy(yc)).item()
        rmse = (pred - yc).pow(2).mean().sqrt().item()
        r2 = 1 - rmse ** 2 / yc.var(unbiased=False).item()
        print(f"[{epoch:02d}] nodes mse {tot / len(x):.4f}  station mse {check:.4f}  rmse {rmse:.2f} ug/m3  r2 {r2:.3f}")


if __name__ == "__main__":
    main()
