import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def build_loaders(train_bs, val_bs, seed):
    bunch = load_digits()
    x = (bunch.images / 16.0).astype(np.float32)[:, None]
    x = (x - x.mean()) / x.std()
    y = bunch.target.astype(np.int64)
    xtr, xva, ytr, yva = train_test_split(x, y, test_size=0.25, stratify=y, random_state=seed)
    tr = TensorDataset(torch.from_numpy(xtr), torch.from_numpy(ytr))
    va = TensorDataset(torch.from_numpy(xva), torch.from_numpy(yva))
    return DataLoader(tr, batch_size=train_bs, shuffle=True, drop_last=True), DataLoader(va, batch_size=val_bs)
