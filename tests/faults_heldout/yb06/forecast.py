"""Short-term electricity load forecasting: GRU encoder, direct multi-horizon head.

    python forecast.py --settings settings.ini
"""
import argparse
import configparser
import csv
import itertools
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HERE = Path(__file__).parent


class WindowDataset(Dataset):
    """Sliding windows over an hourly series with calendar features."""

    def __init__(self, values, hours, weekdays, context, horizon, stride):
        self.context, self.horizon = context, horizon
        feats = np.stack(
            [
                values,
                np.sin(2 * np.pi * hours / 24),
                np.cos(2 * np.pi * hours / 24),
                (weekdays >= 5).astype(float),
            ],
            axis=1,
        )
        self.feats = torch.tensor(feats, dtype=torch.float32)
        self.values = torch.tensor(values, dtype=torch.float32)
        self.starts = list(range(0, len(values) - context - horizon + 1, stride))

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        mid = s + self.context
        return self.feats[s:mid], self.values[mid : mid + self.horizon]


class LoadForecaster(nn.Module):
    def __init__(self, n_feat, feature_dim, hidden, horizon):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(n_feat, feature_dim), nn.Tanh())
        self.gru = nn.GRU(feature_dim, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, horizon))

    def forward(self, x):
        _, h = self.gru(self.embed(x))
        return self.head(h[-1])


def read_series(path):
    load, hour, weekday = [], [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            load.append(float(row["load_mw"]))
            hour.append(int(row["hour"]))
            weekday.append(int(row["weekday"]))
    return np.array(load), np.array(hour), np.array(weekday)


@torch.no_grad()
def evaluate(model, loader, scale):
    model.eval()
    se, ae, n = 0.0, 0.0, 0
    for x, y in loader:
        diff = model(x) - y
        se += diff.pow(2).sum().item()
        ae += diff.abs().sum().item()
        n += diff.numel()
    model.train()
    return se / n, ae / n * scale


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--settings", default="settings.ini")
    args = ap.parse_args()
    cfg = configparser.ConfigParser()
    cfg.read(HERE / args.settings)
    d, m, t = cfg["data"], cfg["model"], cfg["train"]
    torch.manual_seed(t.getint("seed"))

    load, hour, weekday = read_series(HERE / d["file"])
    cut = len(load) - 24 * d.getint("holdout_days")
    mu, sd = load[:cut].mean(), load[:cut].std()
    norm = (load - mu) / sd
    win = dict(context=d.getint("context"), horizon=d.getint("horizon"), stride=d.getint("stride"))
    train_ds = WindowDataset(norm[:cut], hour[:cut], weekday[:cut], **win)
    test_ds = WindowDataset(norm[cut:], hour[cut:], weekday[cut:], **win)
    train_dl = DataLoader(train_ds, batch_size=t.getint("batch_size"), shuffle=True, drop_last=True)
    test_dl = DataLoader(test_ds, batch_size=256)
    print(f"{len(train_ds)} training windows, {len(test_ds)} test windows, load {mu:.0f} +- {sd:.0f} MW")

    model = LoadForecaster(4, m.getint("feature_dim"), m.getint("hidden"), win["horizon"])
    optimizer = torch.optim.Adam(model.parameters(), lr=t.getfloat("learning_rate"))
    criterion = nn.MSELoss()

    max_steps = t.getint("max_steps")
    log_interval = t.getint("log_interval")
    stream = itertools.chain.from_iterable(itertools.repeat(train_dl))
    window = []
    for step, (x, y) in enumerate(itertools.islice(stream, max_steps), start=1):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        window.append(loss.item())
        if step % log_interval == 0:
            mse, mae = evaluate(model, test_dl, sd)
            print(f"step {step:5d}  train mse {np.mean(window):.4f}  test mse {mse:.4f}  test mae {mae:.0f} MW")
            window.clear()

    mse, mae = evaluate(model, test_dl, sd)
    print(f"done after {max_steps} steps: test mse {mse:.4f}, mae {mae:.0f} MW")


if __name__ == "__main__":
    main()
