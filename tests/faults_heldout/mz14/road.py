"""Front camera frames of a model car and the steering angle that the driver held."""
import numpy as np
import torch
from torch.utils.data import Dataset

H, W = 24, 48


def frame(rng):
    curve, offset, heading = rng.normal(0, 0.5), rng.normal(0, 0.3), rng.normal(0, 0.2)
    depth = np.linspace(1.0, 0.05, H)                       # far (top) to near (bottom)
    centre = (W - 1) / 2 + 16 * curve * depth ** 2 + 14 * heading * depth - 12 * offset * (1 - depth)
    half = 4 + 15 * (1 - depth)
    col = np.arange(W)[None]
    d = np.abs(col - centre[:, None])
    img = np.where(d < half[:, None], 0.35, 0.55)
    img = np.where(np.abs(d - half[:, None]) < 1.0, 0.95, img)
    img = img * rng.uniform(0.7, 1.2) + rng.normal(0, 0.07, img.shape)
    angle = 18.0 * curve + 12.0 * heading - 14.0 * offset + rng.normal(0, 1.0)
    return img.astype(np.float32), np.float32(angle)


class Drive(Dataset):
    def __init__(self, n, seed, augment=False):
        rng = np.random.default_rng(seed)
        frames, angles = zip(*(frame(rng) for _ in range(n)))
        self.frames = torch.from_numpy(np.stack(frames))[:, None]
        self.angles = torch.from_numpy(np.stack(angles)) / 10.0
        self.augment = augment

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        x, y = self.frames[i], self.angles[i]
        if self.augment:
            if torch.rand(()) < 0.5:
                x = x.flip(-1)
            x = x * (0.85 + 0.3 * torch.rand(())) + 0.02 * torch.randn_like(x)
        return (x - 0.5) / 0.25, y
