import numpy as np
import torch


def load(path, holdout, seed):
    z = np.load(path)
    user = torch.from_numpy(z["user"].astype(np.int64))
    book = torch.from_numpy(z["book"].astype(np.int64))
    stars = torch.from_numpy(z["stars"].astype(np.float32))
    g = torch.Generator().manual_seed(seed)
    perm = torch.randperm(len(stars), generator=g)
    n_test = int(holdout * len(stars))
    te, tr = perm[:n_test], perm[n_test:]
    return (user[tr], book[tr], stars[tr]), (user[te], book[te], stars[te])


def batches(triple, size):
    order = torch.randperm(len(triple[0]))
    for idx in order.split(size):
        yield tuple(t[idx] for t in triple)
