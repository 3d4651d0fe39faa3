import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset

from .transforms import gaussian_blur, jitter


class Digits(Dataset):
    def __init__(self, train):
        d = load_digits()
        sel = [i for i in range(len(d.target)) if (i % 5 != 0) == train]
        self.images = [d.images[i].tolist() for i in sel]
        self.labels = [int(d.target[i]) for i in sel]
        self.train = train

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        if self.train:
            img = jitter(img)
        img = gaussian_blur(img)
        return torch.tensor(img).unsqueeze(0) / 8 - 0.6, self.labels[i]


def loaders(bs):
    return DataLoader(Digits(True), batch_size=bs, shuffle=True), DataLoader(Digits(False), batch_size=bs)
