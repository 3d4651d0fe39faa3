import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def load_clicks(path):
    with np.load(path) as z:
        cards = z["cards"].tolist()
        parts = {}
        for part in ("train", "valid"):
            parts[part] = TensorDataset(torch.from_numpy(z[f"x_{part}"]).long(),
                                        torch.from_numpy(z[f"y_{part}"]).float())
    return cards, parts


def batches(ds, size, train):
    return DataLoader(ds, batch_size=size, shuffle=train, drop_last=train)
