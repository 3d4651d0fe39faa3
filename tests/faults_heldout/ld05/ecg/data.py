import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def loaders(path, batch, n_train=1250):
    d = np.load(path)
    x = d["x"].astype("float32") / 127.0
    x = x - np.median(x, axis=1, keepdims=True)
    x = x / x[:n_train].std()
    ds = TensorDataset(torch.from_numpy(x), torch.from_numpy(d["y"].astype("int64")))
    train = torch.utils.data.Subset(ds, range(n_train))
    test = torch.utils.data.Subset(ds, range(n_train, len(ds)))
    return DataLoader(train, batch, shuffle=True, drop_last=True), DataLoader(test, 256)
