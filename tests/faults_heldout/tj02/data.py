import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset


class Digits(Dataset):
    def __init__(self, images, labels, augment=False):
        self.images = torch.tensor(images, dtype=torch.float32).unsqueeze(1) / 16.0
        self.labels = torch.tensor(labels)
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = self.images[i]
        if self.augment:
            x = self.jitter(x)
        return (x - 0.3) / 0.38, self.labels[i]

    @staticmethod
    def jitter(x):
        """Up to ~8 degrees of rotation, 7 % of scale and half a pixel of shift, some contrast."""
        a = (torch.rand(()) - 0.5) * 0.28
        s = 1 + (torch.rand(()) - 0.5) * 0.14
        t = (torch.rand(2) - 0.5) * 0.25
        c, d = torch.cos(a) * s, torch.sin(a) * s
        theta = torch.stack([torch.stack([c, -d, t[0]]), torch.stack([d, c, t[1]])])
        grid = F.affine_grid(theta[None], (1, 1, 8, 8), align_corners=False)
        x = F.grid_sample(x[None], grid, align_corners=False)[0]
        return (x * (0.85 + 0.3 * torch.rand(()))).clamp(0, 1)


def splits(cfg):
    d = load_digits()
    x, xt, y, yt = train_test_split(d.images, d.target, test_size=cfg["test_fraction"], stratify=d.target, random_state=cfg["seed"])
    x, xv, y, yv = train_test_split(x, y, test_size=cfg["val_fraction"], stratify=y, random_state=cfg["seed"])
    return Digits(x, y, augment=True), Digits(xv, yv), Digits(xt, yt)
