import numpy as np
import torch


def load(path, fields, holdout):
    raw = np.load(path)
    cols = [raw[f].astype(np.int64) for f in fields]
    sizes = [int(c.max()) + 1 for c in cols]
    x = torch.from_numpy(np.stack(cols, 1))
    x = x + torch.tensor([0] + sizes[:-1]).cumsum(0)
    y = torch.from_numpy(raw["click"].astype(np.float32))
    cut = int(len(y) * (1 - holdout))
    return (x[:cut], y[:cut]), (x[cut:], y[cut:]), sum(sizes)
