import numpy as np
import torch
from sklearn.datasets import load_digits


def digits(classes, val_fraction=0.25, seed=0):
    d = load_digits()
    keep = np.isin(d.target, classes)
    x = torch.tensor(d.images[keep] / 16.0, dtype=torch.float32).unsqueeze(1)
    remap = {c: i for i, c in enumerate(classes)}
    y = torch.tensor([remap[t] for t in d.target[keep]])
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    cut = int(len(y) * (1 - val_fraction))
    return (x[order[:cut]], y[order[:cut]]), (x[order[cut:]], y[order[cut:]])
