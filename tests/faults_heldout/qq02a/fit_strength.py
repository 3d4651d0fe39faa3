"""Compressive strength of concrete from the mix table.

usage: fit_strength.py [strength.ini]
"""
import configparser
import csv
import os
import sys

import numpy as np
import torch
import torch.nn as nn

ROOT = os.path.dirname(os.path.abspath(__file__))


class MixTable:
    """The csv as two arrays plus the statistics of the training rows."""

    def __init__(self, path, target, seed):
        with open(path, newline="") as f:
            rows = list(csv.reader(f))
        names, body = rows[0], np.array(rows[1:], dtype=np.float64)
        col = names.index(target)
        y = body[:, col]
        x = np.delete(body, col, axis=1)
        age = [n for n in names if n != target].index("age_days")
        x[:, age] = np.log1p(x[:, age])

        order = np.random.default_rng(seed).permutation(len(x))
        cut = int(0.8 * len(x))
        tr, te = order[:cut], order[cut:]
        self.x_mean, self.x_std = x[tr].mean(0), x[tr].std(0)
        self.y_mean, self.y_std = y[tr].mean(), y[tr].std()
        x = (x - self.x_mean) / self.x_std
        y = (y - self.y_mean) / self.y_std
        as_t = lambda a: torch.as_tensor(a, dtype=torch.float32)
        self.train = as_t(x[tr]), as_t(y[tr])
        self.test = as_t(x[te]), as_t(y[te])


class StrengthNet(nn.Module):
    def __init__(self, inputs, width, layers, dropout):
        super().__init__()
        body, n = [], inputs
        for _ in range(layers):
            body += [nn.Linear(n, width), nn.SiLU(), nn.Dropout(dropout)]
            n = width
        self.body = nn.Sequential(*body)
        self.out = nn.Linear(n, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


def score(net, table):
    x, y = table.test
    net.eval()
    with torch.no_grad():
        p = net(x)
    net.train()
    mse = torch.mean((p - y) ** 2).item()
    mae = torch.mean((p - y).abs()).item() * table.y_std
    r2 = 1.0 - mse / torch.var(y, unbiased=False).item()
    return mse, mae, r2


def main(ini):
    cp = configparser.ConfigParser()
    cp.read(ini)
    files, netc, tr = cp["files"], cp["network"], cp["training"]
    torch.manual_seed(tr.getint("seed"))

    table = MixTable(os.path.join(ROOT, files["table"]), files["target"], tr.getint("seed"))
    x, y = table.train
    net = StrengthNet(x.shape[1], netc.getint("width"), netc.getint("layers"), netc.getfloat("dropout"))
    optim = torch.optim.AdamW(net.parameters(), lr=tr.getfloat("lr"), weight_decay=tr.getfloat("weight_decay"))
    epochs, batch = tr.getint("epochs"), tr.getint("batch")
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optim, epochs, eta_min=tr.getfloat("lr") * 0.02)
    criterion = nn.MSELoss()

    for epoch in range(1, epochs + 1):
        seen = 0.0
        for part in torch.randperm(len(x)).split(batch):
            loss = criterion(net(x[part]), y[part])
            optim.zero_grad()
            loss.backward()
            optim.step()
            seen += loss.item() * len(part)
        plan.step()
        if epoch == 1 or epoch % tr.getint("report_every") == 0:
            mse, mae, r2 = score(net, table)
            print(f"[{epoch:3d}/{epochs}] train mse {seen / len(x):.4f} | test mse {mse:.4f}  mae {mae:.2f} MPa  R2 {r2:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "strength.ini"))
