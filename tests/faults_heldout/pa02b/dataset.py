import csv
import json

import numpy as np
import torch
from torch.utils.data import TensorDataset


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.reader(fh))
    header = rows[0]
    values = np.array(rows[1:], dtype=np.float64)
    return header, values


def scale_columns(header, values, sensors):
    """Map every channel to roughly [-1, 1] using the calibrated range of its transmitter."""
    out = np.empty_like(values)
    for j, name in enumerate(header):
        lo, hi = sensors[name]["range"]
        out[:, j] = 2.0 * (values[:, j] - lo) / (hi - lo) - 1.0
    return out


def load(cfg, root):
    header, values = read_table(root / cfg["table"])
    sensors = json.loads((root / cfg["sensors"]).read_text())
    scaled = scale_columns(header, values, sensors)
    t = header.index(cfg["target"])
    feats = [j for j in range(len(header)) if j != t]
    x = torch.tensor(scaled[:, feats], dtype=torch.float32)
    y = torch.tensor(scaled[:, t], dtype=torch.float32)

    perm = torch.randperm(len(x))
    n_val = int(len(x) * cfg["val_fraction"])
    va, tr = perm[:n_val], perm[n_val:]
    names = [header[j] for j in feats]
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[va], y[va]), names
