import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset

from .transforms import from_config


class DigitImages(Dataset):
    def __init__(self, images, labels, transform):
        self.images = torch.tensor(images, dtype=torch.float32)
        self.labels = torch.tensor(labels, dtype=torch.long)
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.transform(self.images[i]), self.labels[i]


def build_loaders(cfg):
    digits = load_digits()
    x_tr, x_va, y_tr, y_va = train_test_split(
        digits.images, digits.target, test_size=0.25, random_state=cfg["seed"], stratify=digits.target)
    train = DigitImages(x_tr, y_tr, from_config(cfg["transforms"]["train"]))
    val = DigitImages(x_va, y_va, from_config(cfg["transforms"]["eval"]))
    return (DataLoader(train, batch_size=cfg["batch_size"], shuffle=True),
            DataLoader(val, batch_size=256))
