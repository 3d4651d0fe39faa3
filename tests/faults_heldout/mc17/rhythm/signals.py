import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def make_loaders(path, n_val, batch):
    z = np.load(path)
    x = torch.from_numpy(z["signal"].astype(np.float32))
    x = (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)   # per trace
    y = torch.from_numpy(z["rhythm"]).long()
    ds = TensorDataset(x[:, None], y)
    tr = torch.utils.data.Subset(ds, range(len(ds) - n_val))
    va = torch.utils.data.Subset(ds, range(len(ds) - n_val, len(ds)))
    return DataLoader(tr, batch_size=batch, shuffle=True), DataLoader(va, batch_size=128)
