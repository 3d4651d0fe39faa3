"""Day-ahead load forecasting for one substation."""
import copy
import csv
import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn

ROOT = Path(__file__).resolve().parent


class Stopper:
    """Keeps the best weights and tells when to stop."""

    def __init__(self, monitor, mode, patience, min_delta=0.0):
        if mode not in ("min", "max"):
            raise ValueError(f"unknown mode {mode!r}")
        self.monitor = monitor
        self.sign = 1.0 if mode == "max" else -1.0
        self.patience = patience
        self.min_delta = min_delta
        self.best = None
        self.best_state = None
        self.waited = 0

    def update(self, metrics, model):
        score = self.sign * metrics[self.monitor]
        if self.best is None or score > self.best + self.min_delta:
            self.best = score
            self.best_state = copy.deepcopy(model.state_dict())
            self.waited = 0
        else:
            self.waited += 1
        return self.waited >= self.patience


class LoadGRU(nn.Module):
    def __init__(self, n_inputs, hidden, horizon):
        super().__init__()
        self.rnn = nn.GRU(n_inputs, hidden, batch_first=True)
        self.out = nn.Linear(hidden, horizon)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h[:, -1])


def read_series(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    load = np.array([float(r["load_mw"]) for r in rows], dtype=np.float32)
    temp = np.array([float(r["temp_c"]) for r in rows], dtype=np.float32)
    hour = np.array([int(r["hour"]) for r in rows])
    days = np.array([[int(r["weekend"]), int(r["weekend_tomorrow"])] for r in rows], dtype=np.float32)
    return load, temp, hour, days


def make_windows(load, covariates, lookback, horizon, stride):
    frame = np.concatenate([load[:, None], covariates], axis=1)
    starts = range(0, len(load) - lookback - horizon + 1, stride)
    x = np.stack([frame[s:s + lookback] for s in starts])
    y = np.stack([load[s + lookback:s + lookback + horizon] for s in starts])
    return torch.from_numpy(x), torch.from_numpy(y)


def prepare(cfg):
    load, temp, hour, days = read_series(ROOT / cfg["file"])
    n = len(load)
    a, b = int(n * 0.7), int(n * 0.85)
    load = (load - load[:a].mean()) / load[:a].std()
    temp = (temp - temp[:a].mean()) / temp[:a].std()
    angle = 2 * np.pi * hour / 24
    cov = np.column_stack([temp, np.sin(angle), np.cos(angle), days]).astype(np.float32)
    parts = {}
    for name, lo, hi in (("train", 0, a), ("valid", a, b), ("test", b, n)):
        parts[name] = make_windows(load[lo:hi], cov[lo:hi], cfg["lookback"], cfg["horizon"], cfg["stride"])
    return parts


@torch.no_grad()
def score(model, x, y):
    model.eval()
    err = model(x) - y
    return {"mae": err.abs().mean().item(), "rmse": err.pow(2).mean().sqrt().item()}


def main():
    with open(ROOT / "forecast.toml", "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["seed"])
    parts = prepare(cfg["data"])
    x, y = parts["train"]
    print("windows:", {k: len(v[0]) for k, v in parts.items()})

    model = LoadGRU(x.shape[-1], cfg["model"]["hidden"], cfg["data"]["horizon"])
    fit = cfg["fit"]
    optimizer = torch.optim.Adam(model.parameters(), lr=fit["lr"])
    stopper = Stopper(**cfg["stopping"])

    for epoch in range(1, fit["max_epochs"] + 1):
        model.train()
        total = 0.0
        for pick in torch.randperm(len(x)).split(fit["batch_size"]):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x[pick]), y[pick])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), fit["clip"])
            optimizer.step()
            total += loss.item() * len(pick)
        metrics = score(model, *parts["valid"])
        print(f"{epoch:3d}  mse {total / len(x):.4f}  valid mae {metrics['mae']:.4f} rmse {metrics['rmse']:.4f}")
        if stopper.update(metrics, model):
            print(f"stopped after epoch {epoch}")
            break

    model.load_state_dict(stopper.best_state)
    final = score(model, *parts["test"])
    print(f"test mae {final['mae']:.4f} rmse {final['rmse']:.4f}")


if __name__ == "__main__":
    main()
