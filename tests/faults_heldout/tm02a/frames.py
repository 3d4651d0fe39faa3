"""Rendered top-view frames of a three-joint arm with annotated joints."""
import numpy as np
import torch
from torch.utils.data import Dataset

SIZE = 24


def _segment(img, p, q, width, value):
    yy, xx = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    d = q - p
    t = ((xx - p[0]) * d[0] + (yy - p[1]) * d[1]) / (d @ d + 1e-6)
    t = np.clip(t, 0, 1)
    dist2 = (xx - p[0] - t * d[0]) ** 2 + (yy - p[1] - t * d[1]) ** 2
    np.maximum(img, value * np.exp(-dist2 / (2 * width ** 2)), out=img)


class ArmFrames(Dataset):
    """Each item: image (1, S, S) in [0, 1], joints (3, 2) as x, y in [-1, 1]."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.images = np.zeros((n, 1, SIZE, SIZE), np.float32)
        self.joints = np.zeros((n, 3, 2), np.float32)
        for i in range(n):
            base = np.array([SIZE / 2, SIZE - 3.0]) + rng.normal(0, 1.0, 2)
            a1 = -np.pi / 2 + rng.uniform(-0.7, 0.7)
            a2 = a1 + rng.uniform(-1.2, 1.2)
            elbow = base + 8.0 * np.array([np.cos(a1), np.sin(a1)])
            tip = elbow + 6.5 * np.array([np.cos(a2), np.sin(a2)])
            img = np.zeros((SIZE, SIZE), np.float32)
            _segment(img, base, elbow, 1.5, 1.0)
            _segment(img, elbow, tip, 0.9, 0.75)
            img += rng.normal(0, 0.05, img.shape).astype(np.float32)
            self.images[i, 0] = np.clip(img, 0, 1)
            self.joints[i] = np.stack([base, elbow, tip]) / (SIZE - 1) * 2 - 1

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]), torch.from_numpy(self.joints[i])
