import json

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def load_vocab(path):
    return json.loads(path.read_text(encoding="utf-8"))


def load_split(path, split):
    with np.load(path) as z:
        ids = torch.from_numpy(z[f"{split}_input_ids"].astype(np.int64))
        labels = torch.from_numpy(z[f"{split}_labels"].astype(np.int64))
    return TensorDataset(ids, labels)


def loaders(path, batch_size, generator):
    train = DataLoader(load_split(path, "train"), batch_size=batch_size, shuffle=True, generator=generator)
    valid = DataLoader(load_split(path, "valid"), batch_size=256)
    return train, valid
