import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset


class DigitImages(Dataset):
    def __init__(self, images, labels, augment=None):
        self.images = images
        self.labels = labels
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        if self.augment is not None:
            img = self.augment(img)
        return img, self.labels[i]


class RandomJitter:
    """Small rotation, translation by whole pixels and pixel noise."""

    def __init__(self, max_shift, noise_std, rotate_deg):
        self.max_shift = max_shift
        self.noise_std = noise_std
        self.rotate = math.radians(rotate_deg)

    def __call__(self, img):
        a = (2 * torch.rand(()).item() - 1) * self.rotate
        size = img.shape[-1]
        dx, dy = torch.randint(-self.max_shift, self.max_shift + 1, (2,)).tolist()
        theta = torch.tensor([[[math.cos(a), -math.sin(a), 2 * dx / size],
                               [math.sin(a), math.cos(a), 2 * dy / size]]])
        grid = F.affine_grid(theta, (1, 1, size, size), align_corners=False)
        img = F.grid_sample(img[None], grid, align_corners=False)[0]
        return img + self.noise_std * torch.randn_like(img)


def make_loaders(cfg):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0
    y = torch.tensor(d.target)
    x_tr, x_te, y_tr, y_te = train_test_split(x, y, test_size=0.25, stratify=y, random_state=cfg["run"]["seed"])
    train = DigitImages(x_tr, y_tr, RandomJitter(**cfg["augment"]))
    test = DigitImages(x_te, y_te)
    bs = cfg["run"]["batch_size"]
    return DataLoader(train, batch_size=bs, shuffle=True, drop_last=True), DataLoader(test, batch_size=256)
