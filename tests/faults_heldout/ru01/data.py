import csv
import math

import numpy as np
import torch


def load(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    feats, target = [], []
    for r in rows:
        angle = math.radians(float(r["orientation"]))
        feats.append([
            float(r["area"]), float(r["glazing"]), math.sin(angle), math.cos(angle), float(r["u_value"]),
            float(r["occupants"]), float(r["t_out"]), float(r["wind"]), float(r["setpoint"]),
            float(r["built"]), float(r["humidity"]),
        ])
        target.append(float(r["load"]))
    return np.array(feats, dtype=np.float32), np.array(target, dtype=np.float32)


def split_and_scale(x, y, seed, test_share=0.2):
    order = np.random.default_rng(seed).permutation(len(x))
    n_test = int(len(x) * test_share)
    te, tr = order[:n_test], order[n_test:]
    mu, sd = x[tr].mean(0), x[tr].std(0)
    ym, ys = y[tr].mean(), y[tr].std()
    pack = lambda idx: (torch.from_numpy((x[idx] - mu) / sd), torch.from_numpy((y[idx] - ym) / ys))
    return pack(tr), pack(te), float(ys)
