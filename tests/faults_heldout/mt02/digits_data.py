import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def loaders(batch_size, seed):
    x, y = load_digits(return_X_y=True)
    x = torch.tensor(x, dtype=torch.float32).view(-1, 1, 8, 8) / 16.0
    y = torch.tensor(y)
    tr, te = train_test_split(range(len(y)), test_size=0.25, stratify=y, random_state=seed)
    mean, std = x[tr].mean(), x[tr].std()
    x = (x - mean) / std
    train = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=batch_size, shuffle=True, drop_last=True)
    test = DataLoader(TensorDataset(x[te], y[te]), batch_size=256)
    return train, test
