"""Quantile forecast of the next hour's load of a building (GRU over the last 48 hours)."""
import sys

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
import yaml


class PinballLoss(nn.Module):
    def __init__(self, quantiles):
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))

    def forward(self, pred, target):
        err = target.unsqueeze(-1) - pred
        return torch.maximum(self.q * err, (self.q - 1) * err).mean()


class StandardScaler:
    def fit(self, a):
        self.mu, self.sd = float(a.mean()), float(a.std())
        return self

    def transform(self, a):
        return (a - self.mu) / self.sd

    def inverse(self, a):
        return a * self.sd + self.mu


class NoScaler:
    def fit(self, a):
        return self

    def transform(self, a):
        return a

    def inverse(self, a):
        return a


SCALERS = {"standard": StandardScaler, "none": NoScaler}


class LoadGRU(nn.Module):
    def __init__(self, n_in, hidden, n_q):
        super().__init__()
        self.gru = nn.GRU(n_in, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, n_q))

    def forward(self, x):
        out, _ = self.gru(x)
        return self.head(out[:, -1])


def windows(series, target, history, lo, hi):
    xs, ys = [], []
    for t in range(max(lo, history), hi):
        xs.append(series[t - history:t])
        ys.append(target[t])
    return torch.tensor(np.stack(xs), dtype=torch.float32), torch.tensor(np.array(ys), dtype=torch.float32)


def main(path="forecast.yaml", **override):
    cfg = yaml.safe_load(open(path))
    cfg["train"].update(override)
    torch.manual_seed(cfg["train"]["seed"])

    df = pd.read_csv(cfg["csv"], parse_dates=["time"])
    n = len(df)
    n_train, n_val = int(n * 0.7), int(n * 0.85)
    load, temp = df["load_w"].to_numpy(float), df["temp_c"].to_numpy(float)

    sc = {k: SCALERS[v]() for k, v in cfg["scaler"].items()}
    sc["temp_c"].fit(temp[:n_train])
    sc["history"].fit(load[:n_train])
    sc["target"].fit(load[:n_train])

    # calendar of the hour being predicted, known in advance
    nxt = df["time"] + pd.Timedelta(hours=1)
    hour, dow = nxt.dt.hour.to_numpy(), nxt.dt.day_of_week.to_numpy()
    series = np.column_stack([
        sc["history"].transform(load), sc["temp_c"].transform(temp),
        np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24), (dow >= 5).astype(float),
    ])
    target = sc["target"].transform(load)
    hist = cfg["history"]
    x_tr, y_tr = windows(series, target, hist, 0, n_train)
    x_va, y_va = windows(series, target, hist, n_train, n_val)
    x_te, y_te = windows(series, target, hist, n_val, n)

    model = LoadGRU(series.shape[1], cfg["model"]["hidden"], len(cfg["quantiles"]))
    loss_fn = PinballLoss(cfg["quantiles"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["train"]["lr"])
    epochs = cfg["train"]["epochs"]
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)

    def predict_kw(x):
        model.eval()
        with torch.no_grad():
            return sc["target"].inverse(model(x)) / 1000

    for epoch in range(1, epochs + 1):
        model.train()
        losses = []
        for idx in torch.randperm(len(x_tr)).split(cfg["train"]["batch_size"]):
            opt.zero_grad()
            loss = loss_fn(model(x_tr[idx]), y_tr[idx])
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        val_kw = loss_fn(predict_kw(x_va), sc["target"].inverse(y_va) / 1000).item()
        print(f"epoch {epoch:2d}  train {np.mean(losses):.4f}  val pinball {val_kw:.2f} kW")

    pred, true = predict_kw(x_te), sc["target"].inverse(y_te) / 1000
    inside = ((true >= pred[:, 0]) & (true <= pred[:, -1])).float().mean()
    mae = (pred[:, 1] - true).abs().mean()
    naive = np.abs(load[n_val:] - load[n_val - 1:-1]).mean() / 1000
    print(f"test: pinball {loss_fn(pred, true).item():.2f} kW, MAE {mae:.1f} kW (last hour repeated: {naive:.1f}), "
          f"80% interval covers {inside:.2f}")


if __name__ == "__main__":
    main(**{k: int(v) for k, v in (a.split("=") for a in sys.argv[1:])})
