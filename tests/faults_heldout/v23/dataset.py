import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedShuffleSplit
from torch.utils.data import DataLoader, TensorDataset


def build(batch_size, eval_batch_size):
    d = load_digits()
    x = torch.tensor(d.data / 16.0, dtype=torch.float32)
    y = torch.tensor(d.target)
    tr, va = next(StratifiedShuffleSplit(1, test_size=300, random_state=2).split(d.data, d.target))
    return (DataLoader(TensorDataset(x[tr], y[tr]), batch_size=batch_size, shuffle=True, drop_last=True),
            DataLoader(TensorDataset(x[va], y[va]), batch_size=eval_batch_size))
