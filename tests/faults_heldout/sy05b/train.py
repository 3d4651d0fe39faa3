"""Load forecast: the next hours of a regional grid from the last two days (GRU)."""
import argparse
import json

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def load_series(path):
    df = pd.read_csv(path, parse_dates=["time"])
    hour = df["time"].dt.hour.to_numpy()
    weekend = (df["time"].dt.dayofweek >= 5).to_numpy()
    calendar = np.stack(
        [np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24), weekend], axis=1
    )
    return df[["load_mw", "temp_c"]].to_numpy("float32"), calendar.astype("float32")


def make_windows(values, calendar, starts, history, horizon):
    past, future_cal, target = [], [], []
    for s in starts:
        mid = s + history
        past.append(np.concatenate([values[s:mid], calendar[s:mid]], axis=1))
        future_cal.append(calendar[mid : mid + horizon].reshape(-1))
        target.append(values[mid : mid + horizon, 0])
    return [torch.from_numpy(np.stack(part)) for part in (past, future_cal, target)]


class Forecaster(nn.Module):
    def __init__(self, hidden, horizon):
        super().__init__()
        self.gru = nn.GRU(5, hidden, batch_first=True)
        self.head = nn.Sequential(
            nn.Linear(hidden + 3 * horizon, 64), nn.ReLU(), nn.Linear(64, horizon)
        )

    def forward(self, past, future_cal):
        _, state = self.gru(past)
        delta = self.head(torch.cat([state[-1], future_cal], dim=1))
        return past[:, -1, :1] + delta


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--experiment", default="experiment.json")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with open(args.experiment) as f:
        cfg = json.load(f)
    torch.manual_seed(args.seed)

    values, calendar = load_series(cfg["series"])
    history, horizon = cfg["history"], cfg["horizon"]
    cut = len(values) - 24 * cfg["holdout_days"]
    mean, std = values[:cut].mean(0), values[:cut].std(0)
    scaled = (values - mean) / std

    train_starts = range(0, cut - history - horizon + 1)
    test_starts = range(cut, len(values) - history - horizon + 1)
    train = make_windows(scaled, calendar, train_starts, history, horizon)
    test = make_windows(scaled, calendar, test_starts, history, horizon)
    loader = DataLoader(TensorDataset(*train), batch_size=cfg["batch_size"], shuffle=True)

    model = Forecaster(cfg["hidden"], horizon)
    optimizer = torch.optim.AdamW(model.parameters(), **cfg["optimizer"])
    schedule = cfg["schedule"]
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=schedule["gamma"])

    for epoch in range(cfg["epochs"]):
        model.train()
        losses = []
        for past, future_cal, target in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(past, future_cal), target)
            loss.backward()
            optimizer.step()
            if schedule["every"] == "batch":
                scheduler.step()
            losses.append(loss.item())
        if schedule["every"] == "epoch":
            scheduler.step()

        model.eval()
        with torch.no_grad():
            error = (model(test[0], test[1]) - test[2]).abs() * float(std[0])
        print(
            f"epoch {epoch + 1:2d}  train mse {np.mean(losses):.4f}  "
            f"test MAE {error.mean():.2f} MW  (last hour {error[:, -1].mean():.2f} MW)"
        )


if __name__ == "__main__":
    main()
