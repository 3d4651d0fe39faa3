"""Day-ahead load forecast: 4 days of history in, next 24 hours out."""
import configparser
import os
import sys

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, IterableDataset

HERE = os.path.dirname(os.path.abspath(__file__))
PAST, AHEAD = 96, 24


class RandomWindows(IterableDataset):
    """Yields `count` windows per epoch, cut at random positions of the series."""

    def __init__(self, series, load, count, seed, rng_scope):
        self.series, self.load, self.count, self.seed = series, load, count, seed
        self.rng_scope = rng_scope
        self.rng = np.random.default_rng(seed)

    def __iter__(self):
        rng = self.rng if self.rng_scope == "run" else np.random.default_rng(self.seed)
        top = self.series.shape[1] - PAST - AHEAD
        for s in rng.integers(0, top, size=self.count):
            yield cut(self.series, self.load, s)


def cut(series, load, s):
    return series[:, s:s + PAST], load[s + PAST:s + PAST + AHEAD]


class TCN(nn.Module):
    def __init__(self, channels, width, dropout):
        super().__init__()
        blocks, c = [], channels
        for d in (1, 2, 4, 8, 16):
            blocks.append(nn.Sequential(nn.ConstantPad1d((2 * d, 0), 0.0), nn.Conv1d(c, width, 3, dilation=d),
                                        nn.GELU(), nn.Dropout(dropout)))
            c = width
        self.first, self.rest = blocks[0], nn.ModuleList(blocks[1:])
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(width * 24, AHEAD))

    def forward(self, x):
        h = self.first(x)
        for b in self.rest:
            h = h + b(h)
        return self.head(h[:, :, -24:])


def read_series():
    z = np.load(os.path.join(HERE, "grid.npz"))
    hour = np.arange(len(z["load"]))
    cols = [z["load"], z["temp"], z["wind"], np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
            np.sin(2 * np.pi * hour / 168), np.cos(2 * np.pi * hour / 168)]
    return np.stack(cols).astype(np.float32)


def main(path):
    cp = configparser.ConfigParser()
    cp.read(os.path.join(HERE, path))
    s = cp["sampling"]
    torch.manual_seed(cp["train"].getint("seed"))
    raw = read_series()
    n_train = int(raw.shape[1] * 0.75)
    mu, sd = raw[:, :n_train].mean(1, keepdims=True), raw[:, :n_train].std(1, keepdims=True)
    x = torch.from_numpy((raw - mu) / sd)
    scale = float(sd[0, 0])
    train_set = RandomWindows(x[:, :n_train], x[0, :n_train], s.getint("windows_per_epoch"),
                              s.getint("seed"), s["rng_scope"])
    loader = DataLoader(train_set, batch_size=s.getint("batch"))
    starts = range(n_train, x.shape[1] - PAST - AHEAD, 12)
    val = [torch.stack(t) for t in zip(*(cut(x, x[0], k) for k in starts))]
    naive = (val[0][:, 0, -24:] - val[1]).abs().mean().item() * scale
    print(f"same-hour-yesterday MAE {naive:.2f} MW")

    net = TCN(len(x), cp["model"].getint("width"), cp["model"].getfloat("dropout"))
    opt = torch.optim.AdamW(net.parameters(), lr=cp["train"].getfloat("lr"), weight_decay=1e-3)
    epochs = cp["train"].getint("epochs")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for ep in range(1, epochs + 1):
        net.train()
        errs = []
        for past, target in loader:
            err = (net(past) - target).abs().mean()
            opt.zero_grad()
            err.backward()
            opt.step()
            errs.append(err.item())
        sched.step()
        net.eval()
        with torch.no_grad():
            mae = (net(val[0]) - val[1]).abs().mean().item() * scale
        if ep % 5 == 0 or ep == 1:
            print(f"epoch {ep:3d}  train MAE {np.mean(errs) * scale:6.2f}  val MAE {mae:6.2f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "forecast.ini")
