import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def build_loaders(cfg, seed):
    images, labels = load_digits(return_X_y=True)
    x = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8).div(16.0).sub(0.3).div(0.37)
    y = torch.tensor(labels)
    tr, va = train_test_split(range(len(y)), test_size=cfg["val_fraction"], stratify=labels, random_state=seed)
    train = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=cfg["batch_size"], shuffle=True, drop_last=True)
    val = DataLoader(TensorDataset(x[va], y[va]), batch_size=512)
    return train, val
