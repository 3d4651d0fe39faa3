import configparser
import csv
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent


class Site:
    """Hourly weather at the substation together with the metered demand."""

    def __init__(self, path):
        rows = list(csv.DictReader(open(path, newline="")))
        hour = np.array([int(r["hour"]) for r in rows], dtype=np.float32)
        dow = np.array([int(r["dow"]) for r in rows], dtype=np.float32)
        temp = np.array([float(r["temp_c"]) for r in rows], dtype=np.float32)
        sun = np.array([float(r["irradiance"]) for r in rows], dtype=np.float32)
        self.demand = np.array([float(r["demand"]) for r in rows], dtype=np.float32)
        self.exog = np.stack([
            np.sin(2 * math.pi * hour / 24), np.cos(2 * math.pi * hour / 24),
            np.sin(4 * math.pi * hour / 24), np.cos(4 * math.pi * hour / 24),
            (dow >= 5).astype(np.float32),
            (temp - 12.0) / 8.0,
            sun / 400.0 - 0.5,
        ], axis=1)

    def windows(self, length):
        n = len(self.demand) - length + 1
        idx = np.arange(length)[None, :] + np.arange(n)[:, None]
        x = torch.from_numpy(self.exog[idx])
        y = torch.from_numpy(self.demand[length - 1:]).unsqueeze(1)
        return x, y


class DemandGRU(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.gru = nn.GRU(n_in, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        seq, _ = self.gru(x)
        return self.out(seq[:, -1])


def r2_score(pred, true):
    return (1 - (pred - true).pow(2).sum() / (true - true.mean()).pow(2).sum()).item()


def main():
    ini = configparser.ConfigParser()
    ini.read(HERE / "forecast.ini")
    tr = ini["training"]
    torch.set_num_threads(1)
    torch.manual_seed(tr.getint("seed"))

    x, y = Site(HERE / ini["data"]["file"]).windows(ini["data"].getint("window"))
    split = int(len(x) * 0.8)
    x_tr, y_tr, x_va, y_va = x[:split], y[:split], x[split:], y[split:]

    net = DemandGRU(x.shape[2], ini["model"].getint("hidden"))
    opt = torch.optim.Adam(net.parameters(), lr=tr.getfloat("lr"))
    sched = torch.optim.lr_scheduler.StepLR(opt, tr.getint("lr_step"), gamma=0.3)
    mse = nn.MSELoss()
    bs = tr.getint("batch_size")

    for epoch in range(tr.getint("epochs")):
        net.train()
        running = 0.0
        for idx in torch.randperm(split).split(bs):
            opt.zero_grad()
            loss = mse(net(x_tr[idx]), y_tr[idx])
            loss.backward()
            opt.step()
            running += loss.item() * len(idx)
        sched.step()
        net.eval()
        with torch.no_grad():
            p = net(x_va)
        mape = ((p - y_va).abs() / y_va.abs()).mean().item() * 100
        print(f"epoch {epoch + 1:02d} mse {running / split:.6g} val_mse {mse(p, y_va).item():.6g} "
              f"val_mape {mape:.1f}% val_r2 {r2_score(p, y_va):.3f}")



if __name__ == "__main__":
    main()
