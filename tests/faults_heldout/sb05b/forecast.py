"""Six-hour temperature forecast from the last 24 hours of station readings."""
import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

COLUMNS = ("temp_c", "humidity", "pressure_hpa", "wind_ms")
CLIMATE_MEAN = np.array([9.5, 72.0, 1013.0, 4.0], dtype=np.float32)
CLIMATE_STD = np.array([8.0, 15.0, 9.0, 2.5], dtype=np.float32)


@dataclass
class Settings:
    history: int = 24
    horizon: int = 6
    hidden: int = 40
    batch: int = 64
    epochs: int = 6
    lr: float = 3e-3
    seed: int = 21


def read_station(path):
    table = np.genfromtxt(path, delimiter=",", skip_header=1, usecols=(1, 2, 3, 4), dtype=np.float32)
    return (table - CLIMATE_MEAN) / CLIMATE_STD


def windows(series, s):
    xs, ys = [], []
    for t in range(s.history, len(series) - s.horizon):
        xs.append(series[t - s.history:t])
        ys.append(series[t:t + s.horizon, 0])
    return torch.tensor(np.stack(xs)), torch.tensor(np.stack(ys))


class Forecaster(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.rnn = nn.GRU(len(COLUMNS), s.hidden, batch_first=True)
        self.head = nn.Linear(s.hidden, s.horizon)

    def forward(self, x):
        out, _ = self.rnn(x)
        return x[:, -1:, 0] + self.head(out[:, -1])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--station", default="station_0417.csv")
    args = ap.parse_args()
    s = Settings()
    torch.manual_seed(s.seed)

    series = read_station(Path(__file__).parent / args.station)
    cut = int(0.8 * len(series))
    x_tr, y_tr = windows(series[:cut], s)
    x_va, y_va = windows(series[cut:], s)
    print(f"{len(series)} hourly rows -> {len(x_tr)} train / {len(x_va)} validation windows")
    persistence = (x_va[:, -1:, 0] - y_va).abs().mean().item() * CLIMATE_STD[0]
    print(f"persistence MAE {persistence:.3f} C")

    model = Forecaster(s)
    opt = torch.optim.Adam(model.parameters(), lr=s.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s.epochs)
    huber = nn.SmoothL1Loss()
    for epoch in range(s.epochs):
        model.train()
        losses = []
        for idx in torch.randperm(len(x_tr)).split(s.batch):
            loss = huber(model(x_tr[idx]), y_tr[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            losses.append(loss.item())
        sched.step()
        model.eval()
        with torch.no_grad():
            mae = (model(x_va) - y_va).abs().mean().item() * CLIMATE_STD[0]
        print(f"epoch {epoch + 1}: train loss {np.mean(losses):.4f}  val MAE {mae:.3f} C")


if __name__ == "__main__":
    main()
