import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset


class Digits(Dataset):
    def __init__(self, images, labels, shift=False):
        self.images, self.labels, self.shift = images, labels, shift

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        if self.shift and torch.rand(()) < 0.5:
            dx = int(torch.randint(-1, 2, ()))
            img = torch.roll(img, dx, dims=-1)
        return img, self.labels[i]


def digit_sets(seed):
    bunch = load_digits()
    x = torch.tensor(bunch.images, dtype=torch.float32).div(8).sub(1).unsqueeze(1)
    y = torch.tensor(bunch.target)
    a, b = train_test_split(range(len(y)), test_size=0.3, stratify=bunch.target, random_state=seed)
    return Digits(x[a], y[a], shift=True), Digits(x[b], y[b])
