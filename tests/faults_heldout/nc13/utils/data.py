import numpy as np
import torch


def load_events(path, seed, val_fraction=0.25):
    with np.load(path) as z:
        x, y = z["features"].astype(np.float32), z["label"].astype(np.int64)
    order = np.random.default_rng(seed).permutation(len(y))
    cut = int(len(y) * (1 - val_fraction))
    tr, va = order[:cut], order[cut:]
    mean, std = x[tr].mean(0), x[tr].std(0)
    x = (x - mean) / std
    as_pair = lambda idx: (torch.from_numpy(x[idx]), torch.from_numpy(y[idx]))
    return as_pair(tr), as_pair(va)
