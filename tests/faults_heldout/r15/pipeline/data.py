import numpy as np
import torch
from sklearn.datasets import make_friedman1
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset


def loaders(batch_size, seed):
    X, y = make_friedman1(n_samples=2400, n_features=10, noise=0.5, random_state=seed)
    Xtr, ytr, Xva, yva = X[:1900], y[:1900], X[1900:], y[1900:]
    sx, sy = StandardScaler().fit(Xtr), StandardScaler().fit(ytr[:, None])

    def ds(a, b):
        return TensorDataset(torch.tensor(sx.transform(a), dtype=torch.float32),
                             torch.tensor(sy.transform(b[:, None]), dtype=torch.float32))

    return (DataLoader(ds(Xtr, ytr), batch_size=batch_size, shuffle=True),
            DataLoader(ds(Xva, yva), batch_size=512))
