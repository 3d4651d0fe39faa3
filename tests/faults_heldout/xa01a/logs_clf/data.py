import numpy as np
import torch


def load_split(path):
    z = np.load(path)
    as_long = lambda k: torch.from_numpy(z[k].astype("int64"))
    return (as_long("train_events"), as_long("train_kind")), (as_long("val_events"), as_long("val_kind"))


def batches(x, y, size, generator):
    order = torch.randperm(len(x), generator=generator)
    for chunk in order.split(size):
        yield x[chunk], y[chunk]
