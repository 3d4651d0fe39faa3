import numpy as np
import torch


def load(path, test_every=4, seed=0):
    z = np.load(path)
    acc = torch.from_numpy(z["acc"].astype(np.float32))
    rec = torch.from_numpy(z["recording"].astype(np.int64))
    act = torch.from_numpy(z["activity"].astype(np.int64))
    recs = np.unique(z["recording"])
    np.random.default_rng(seed).shuffle(recs)
    held = set(recs[: len(recs) // test_every].tolist())
    m = torch.tensor([int(r) in held for r in rec])
    mean = acc[~m].mean((0, 2), keepdim=True)
    std = acc[~m].std((0, 2), keepdim=True)
    acc = (acc - mean) / std
    train = (acc[~m], act[~m])
    # held-out recordings are scored one recording at a time
    test = [(acc[rec == r], act[rec == r]) for r in sorted(held)]
    return train, test
