import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from leaves import collect


class ToTensor:
    def __call__(self, img):
        return torch.from_numpy(np.ascontiguousarray(img)).permute(2, 0, 1).float() / 255.0


class RandomFlip:
    def __call__(self, x):
        if torch.rand(1).item() < 0.5:
            x = x.flip(2)
        if torch.rand(1).item() < 0.5:
            x = x.flip(1)
        return x


class Normalize:
    def __init__(self, mean, std):
        self.mean = torch.as_tensor(mean, dtype=torch.float32).view(3, 1, 1)
        self.std = torch.as_tensor(std, dtype=torch.float32).view(3, 1, 1)

    def __call__(self, x):
        return (x - self.mean) / self.std


def chain(*steps):
    def apply(x):
        for s in steps:
            x = s(x)
        return x
    return apply


class LeafPhotos(Dataset):
    def __init__(self, images, labels, transform):
        self.images, self.labels, self.transform = images, labels, transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.transform(self.images[i]), self.labels[i]


def make_loaders(n_train, n_val, batch_size):
    train_images, train_labels = collect(n_train, seed=91)
    val_images, val_labels = collect(n_val, seed=92)
    mean = train_images.mean((0, 1, 2)) / 255.0
    std = train_images.std((0, 1, 2)) / 255.0
    train_transform = chain(ToTensor(), RandomFlip(), Normalize(mean, std))
    val_transform = chain(ToTensor())
    train = LeafPhotos(train_images, train_labels, train_transform)
    val = LeafPhotos(val_images, val_labels, val_transform)
    return DataLoader(train, batch_size, shuffle=True, drop_last=True), DataLoader(val, 100)
