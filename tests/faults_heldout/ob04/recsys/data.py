import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def load_interactions(path, val_fraction, batch_size, seed):
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(table))
    n_val = int(val_fraction * len(table))
    val, train = table[order[:n_val]], table[order[n_val:]]
    n_users, n_items = int(table[:, 0].max()) + 1, int(table[:, 1].max()) + 1

    def wrap(t, shuffle):
        ds = TensorDataset(torch.from_numpy(t[:, 0]), torch.from_numpy(t[:, 1]), torch.from_numpy(t[:, 2]).float())
        return DataLoader(ds, batch_size=batch_size if shuffle else 1024, shuffle=shuffle)

    return wrap(train, True), wrap(val, False), n_users, n_items
