"""Top view of a mouse in an open field; nose, left ear, right ear, tail base."""
import math

import numpy as np
import torch
from torch.utils.data import Dataset

SIZE = 32
NAMES = ["nose", "left_ear", "right_ear", "tail"]
MIRROR = [0, 2, 1, 3]


def render(rng):
    yy, xx = np.mgrid[:SIZE, :SIZE].astype(np.float32)
    th = rng.uniform(-0.8, 0.8)                      # heading, 0 = up
    c = rng.uniform(12, 20, 2)
    fwd, side = np.array([math.sin(th), -math.cos(th)]), np.array([math.cos(th), math.sin(th)])
    s = rng.uniform(0.85, 1.15)
    at = lambda f, l: c + s * (f * fwd + l * side)
    img = np.full((SIZE, SIZE), 0.2) + rng.normal(0, 0.05)

    def blob(p, rf, rs, level):
        dx, dy = xx - p[0], yy - p[1]
        r = ((dx * fwd[0] + dy * fwd[1]) / (s * rf)) ** 2 + ((dx * side[0] + dy * side[1]) / (s * rs)) ** 2
        return level * np.exp(-r ** 2)

    img = img + blob(at(0, 0), 6.0, 3.2, 0.6) + blob(at(7, 0), 3.2, 2.0, 0.5)
    left, right = at(5.2, -3.0), at(5.2, 3.0)
    img = img + blob(left, 1.3, 1.3, 0.6) + blob(right, 1.3, 1.3, 0.6)
    img = img + blob(at(-8.0, rng.normal(0, 0.5)), 3.0, 0.7, 0.4)
    img = img + rng.normal(0, 0.08, img.shape)
    points = np.stack([at(9.0, 0), left, right, at(-5.5, 0)])
    return img.astype(np.float32), points.astype(np.float32)


class Mice(Dataset):
    def __init__(self, n, seed, augment):
        rng = np.random.default_rng(seed)
        data = [render(rng) for _ in range(n)]
        self.images = torch.from_numpy(np.stack([d[0] for d in data]))[:, None]
        self.points = torch.from_numpy(np.stack([d[1] for d in data]))
        self.augment = augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image, points = self.images[i], self.points[i]
        if self.augment and torch.rand(()) < 0.5:
            image = image.flip(-1)
            points = points[MIRROR].clone()
            points[:, 0] = SIZE - 1 - points[:, 0]
        return (image - 0.35) / 0.25, points
