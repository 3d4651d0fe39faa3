import numpy as np
import torch


def load_table(path):
    raw = np.genfromtxt(path, delimiter=",", skip_header=1)
    return raw[:, 1:].astype(np.float32)


def make_windows(table, window, horizon, target):
    xs, ys = [], []
    for s in range(len(table) - window - horizon + 1):
        xs.append(table[s:s + window].T)
        ys.append(table[s + window:s + window + horizon, target])
    return torch.from_numpy(np.stack(xs)), torch.from_numpy(np.stack(ys))
