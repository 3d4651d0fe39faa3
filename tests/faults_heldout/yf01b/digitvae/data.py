import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def make_loaders(batch_size: int, holdout: float, seed: int):
    digits = load_digits()
    x = torch.tensor(digits.data / 16.0, dtype=torch.float32)
    x_tr, x_va = train_test_split(x, test_size=holdout, random_state=seed, stratify=digits.target)
    gen = torch.Generator().manual_seed(seed)
    train = DataLoader(TensorDataset(x_tr), batch_size=batch_size, shuffle=True, drop_last=True, generator=gen)
    valid = DataLoader(TensorDataset(x_va), batch_size=256)
    return train, valid
