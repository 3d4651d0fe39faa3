import numpy as np
import torch


def load_counts(path, n_train):
    table = np.genfromtxt(path, delimiter=",", skip_header=1, dtype=np.float32)
    x, y = torch.from_numpy(table[:, :-1].copy()), torch.from_numpy(table[:, -1].copy())
    return (x[:n_train], y[:n_train]), (x[n_train:], y[n_train:])
