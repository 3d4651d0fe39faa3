"""One-hour-ahead forecast of a building's electrical load."""
import configparser
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent


def load_table(path, holdout):
    raw = np.genfromtxt(path, delimiter=",", names=True)
    hour = raw["hour"] * 2 * np.pi / 24
    feats = np.stack(
        [
            raw["load_kw"],
            raw["temperature"],
            np.sin(hour),
            np.cos(hour),
            (raw["weekday"] >= 5).astype(float),
        ],
        axis=1,
    ).astype(np.float32)
    split = len(feats) - holdout
    mean = feats[:split].mean(0)
    std = feats[:split].std(0)
    return (feats - mean) / std, split, float(std[0])


def windows(table, start, stop, size):
    xs, ys = [], []
    for end in range(max(start, size), stop):
        xs.append(table[end - size:end])
        ys.append(table[end, 0])
    return torch.from_numpy(np.stack(xs)), torch.tensor(ys)


class LoadForecaster(nn.Module):
    def __init__(self, n_features, hidden):
        super().__init__()
        self.rnn = nn.GRU(n_features, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.head(h[-1]).squeeze(-1)


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(x)
    return (pred - y).abs().mean().item()


def main():
    cfg = configparser.ConfigParser()
    cfg.read(HERE / "settings.ini")
    opt_cfg = cfg["optim"]
    torch.manual_seed(opt_cfg.getint("seed"))

    size = cfg.getint("data", "window")
    table, split, load_std = load_table(HERE / cfg.get("data", "file"), cfg.getint("data", "holdout"))
    x_tr, y_tr = windows(table, 0, split, size)
    x_va, y_va = windows(table, split, len(table), size)
    print(f"{len(x_tr)} training windows, {len(x_va)} validation windows")

    model = LoadForecaster(table.shape[1], cfg.getint("model", "hidden"))
    optimizer = torch.optim.SGD(
        model.parameters(), lr=opt_cfg.getfloat("lr"), momentum=opt_cfg.getfloat("momentum")
    )
    loss_fn = nn.MSELoss()
    max_norm = opt_cfg.getfloat("max_norm")
    bs = opt_cfg.getint("batch_size")

    persistence = (x_va[:, -1, 0] - y_va).abs().mean().item() * load_std
    print(f"persistence baseline: {persistence:.2f} kW MAE")

    for epoch in range(opt_cfg.getint("epochs")):
        t0 = time.time()
        model.train()
        order = torch.randperm(len(x_tr))
        total = 0.0
        for i in range(0, len(order), bs):
            idx = order[i:i + bs]
            optimizer.zero_grad()
            loss = loss_fn(model(x_tr[idx]), y_tr[idx])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            total += loss.item() * len(idx)
        mae = evaluate(model, x_va, y_va) * load_std
        print(f"epoch {epoch + 1:2d}  mse {total / len(x_tr):.4f}  val MAE {mae:6.2f} kW  ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
