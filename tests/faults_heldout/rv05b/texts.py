import json

import numpy as np
import torch


def load_vocab(path):
    with open(path, encoding="utf-8") as fh:
        return json.load(fh)


def load_encoded(path):
    """Token ids as written by the preprocessing job: one row per ticket, all rows of one length."""
    with np.load(path) as z:
        ids = torch.from_numpy(z["ids"].astype(np.int64))
        label = torch.from_numpy(z["urgent"].astype(np.float32))
        is_val = torch.from_numpy(z["holdout"].astype(bool))
    return (ids[~is_val], label[~is_val]), (ids[is_val], label[is_val])


def batches(ids, label, size, shuffle):
    order = torch.randperm(len(ids)) if shuffle else torch.arange(len(ids))
    for pick in order.split(size):
        yield ids[pick], label[pick]
