import numpy as np
import torch
from torch.utils.data import TensorDataset


def load(path, test_wearers):
    store = np.load(path)
    x = torch.tensor(store["windows"], dtype=torch.float32)
    y = torch.tensor(store["activity"], dtype=torch.long)
    test = torch.tensor(np.isin(store["wearer"], test_wearers))
    return TensorDataset(x[~test], y[~test]), TensorDataset(x[test], y[test]), store["names"].tolist()
