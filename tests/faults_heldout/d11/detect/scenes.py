import numpy as np
import torch
from torch.utils.data import Dataset

SHAPES = ("disc", "square", "cross", "ring")


class OneObject(Dataset):
    """Grey 32x32 images with one object; target: class and box (cx, cy, w, h) in pixels."""

    def __init__(self, n, seed, size=32):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[:size, :size]
        self.images = np.empty((n, 1, size, size), dtype=np.float32)
        self.classes = rng.integers(0, len(SHAPES), n)
        self.boxes = np.empty((n, 4), dtype=np.float32)
        for i, c in enumerate(self.classes):
            r = rng.uniform(4, 8)
            cx, cy = rng.uniform(r, size - r, 2)
            dx, dy = np.abs(xx - cx), np.abs(yy - cy)
            rad = np.hypot(dx, dy)
            m = {0: rad <= r, 1: np.maximum(dx, dy) <= r * 0.9,
                 2: (np.minimum(dx, dy) <= r * 0.35) & (np.maximum(dx, dy) <= r),
                 3: (rad <= r) & (rad >= r * 0.55)}[int(c)]
            img = 0.15 * rng.normal(size=(size, size)) + rng.uniform(0.6, 1.1) * m
            self.images[i, 0] = img
            self.boxes[i] = cx, cy, 2 * r, 2 * r

    def __len__(self):
        return len(self.classes)

    def __getitem__(self, i):
        return {"image": torch.from_numpy(self.images[i]), "cls": int(self.classes[i]),
                "box": torch.from_numpy(self.boxes[i])}
