import numpy as np
import torch
from torch.utils.data import IterableDataset

SIZE = 24


def render(rng):
    """One bright cell on a textured background with small distractors. Target: cx, cy, rx, ry in units of the image side."""
    yy, xx = np.mgrid[0:SIZE, 0:SIZE].astype("float32") / SIZE
    img = rng.normal(0, 0.15, (SIZE, SIZE)).astype("float32")
    img += 0.3 * np.sin(6.28 * (rng.uniform(0.5, 2) * xx + rng.uniform(0.5, 2) * yy) + rng.uniform(0, 6.28))
    for _ in range(rng.integers(2, 5)):
        dx, dy = rng.uniform(0, 1, 2)
        img += rng.uniform(0.4, 1.0) * np.exp(-((xx - dx) ** 2 + (yy - dy) ** 2) / 0.0025)
    cx, cy = rng.uniform(0.25, 0.75, 2)
    rx, ry = rng.uniform(0.1, 0.25, 2)
    inside = ((xx - cx) / rx) ** 2 + ((yy - cy) / ry) ** 2 < 1
    img += rng.uniform(0.6, 1.1) * inside
    return img[None].astype("float32"), np.array([cx, cy, rx, ry], dtype="float32")


class SceneStream(IterableDataset):
    """Scenes are drawn while training, so no images have to be stored."""

    def __init__(self, per_epoch, seed):
        self.per_epoch = per_epoch
        self.seed = seed

    def __iter__(self):
        rng = np.random.default_rng(self.seed)
        for _ in range(self.per_epoch):
            img, box = render(rng)
            yield torch.from_numpy(img), torch.from_numpy(box)

    def __len__(self):
        return self.per_epoch
