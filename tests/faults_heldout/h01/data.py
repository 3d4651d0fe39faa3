"""Digits (8x8) as tensors, with a one-pixel random shift for the training part."""
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset, TensorDataset


class ShiftedDigits(Dataset):
    """Returns each image translated by at most one pixel in both directions."""

    def __init__(self, images, labels):
        self.images = torch.nn.functional.pad(images, (1, 1, 1, 1), value=float(images.min()))
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        dy, dx = torch.randint(0, 3, (2,)).tolist()
        return self.images[i, :, dy:dy + 8, dx:dx + 8], self.labels[i]


def loaders(batch_size, seed=7):
    raw = load_digits()
    x = raw.images.astype("float32") / 16.0
    y = raw.target
    x_tr, x_te, y_tr, y_te = train_test_split(x, y, test_size=0.2, stratify=y, random_state=seed)
    x_tr, x_va, y_tr, y_va = train_test_split(x_tr, y_tr, test_size=0.2, stratify=y_tr, random_state=seed)
    mean, std = x_tr.mean(), x_tr.std()

    def tens(a, b):
        return torch.from_numpy((a - mean) / std).unsqueeze(1), torch.from_numpy(b).long()

    train = DataLoader(ShiftedDigits(*tens(x_tr, y_tr)), batch_size=batch_size, shuffle=True, drop_last=True)
    val = DataLoader(TensorDataset(*tens(x_va, y_va)), batch_size=256)
    test = DataLoader(TensorDataset(*tens(x_te, y_te)), batch_size=256)
    return train, val, test
