import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def make_loaders(val_fraction, batch_size, seed):
    images, labels = load_digits(return_X_y=True)
    images = (images / 16.0).reshape(-1, 1, 8, 8).astype("float32")
    x_tr, x_va, y_tr, y_va = train_test_split(
        images, labels, test_size=val_fraction, random_state=seed, stratify=labels
    )
    mean, std = x_tr.mean(), x_tr.std()

    def dataset(x, y):
        return TensorDataset(torch.from_numpy((x - mean) / std), torch.from_numpy(y).long())

    train = DataLoader(dataset(x_tr, y_tr), batch_size=batch_size, shuffle=True, drop_last=True)
    val = DataLoader(dataset(x_va, y_va), batch_size=256)
    return train, val
