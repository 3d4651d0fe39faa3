"""Front camera pictures (16x32, grey) of a lane with the steering angle of the driver."""
import numpy as np
import torch
from torch.utils.data import Dataset

H, W = 16, 32


def render(curve, offset, rng):
    img = np.full((H, W), rng.uniform(0.25, 0.45))
    rows = np.arange(H)
    depth = 1 - rows / (H - 1)                      # 1 at the horizon
    centre = W / 2 - offset * 5 * (1 - 0.7 * depth) + curve * 11 * depth ** 2
    half = 2.0 + 8.0 * (1 - depth)
    cols = np.arange(W)[None]
    for side in (-1, 1):
        d = cols - (centre + side * half)[:, None]
        img = img + 0.6 * np.exp(-d ** 2 / 1.2)
    img[:3] += rng.uniform(0.1, 0.3)
    return np.clip(img + rng.normal(0, 0.05, img.shape), 0, 1)


def record(n, seed):
    rng = np.random.default_rng(seed)
    curve = rng.uniform(-1, 1, n)
    offset = rng.normal(0, 0.4, n)
    angle = 0.7 * curve - 0.45 * offset + rng.normal(0, 0.03, n)
    img = np.stack([render(c, o, rng) for c, o in zip(curve, offset)])
    return img.astype(np.float32), angle.astype(np.float32)


class DriveLog(Dataset):
    def __init__(self, n, seed, transform=None):
        self.images, self.angles = record(n, seed)
        self.transform = transform

    def __len__(self):
        return len(self.angles)

    def __getitem__(self, i):
        img = torch.from_numpy(self.images[i]).unsqueeze(0)
        if self.transform is not None:
            img = self.transform(img)
        return img, torch.tensor([self.angles[i]])
