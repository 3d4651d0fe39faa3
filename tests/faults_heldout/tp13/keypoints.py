import numpy as np
import torch
from torch.utils.data import Dataset

SIZE = 24


def photos(n, seed):
    """Downscaled frames of a rover: the wheel hub is a ring, stones are blobs. Target: hub (x, y) in [0, 1]."""
    r = np.random.default_rng(seed)
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    imgs = np.zeros((n, SIZE, SIZE), np.float32)
    pts = np.zeros((n, 2), np.float32)
    for i in range(n):
        img = 0.4 + r.uniform(-0.2, 0.2) * (xx - 12) / 12 + r.uniform(-0.2, 0.2) * (yy - 12) / 12
        for _ in range(r.integers(1, 4)):
            cx, cy, w = r.uniform(0, SIZE, 2).tolist() + [r.uniform(1.2, 2.2)]
            img = img + r.uniform(0.3, 0.6) * np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * w * w))
        hx, hy = r.uniform(4, SIZE - 5, 2)
        d = np.sqrt((xx - hx) ** 2 + (yy - hy) ** 2)
        img = img + 0.8 * np.exp(-((d - r.uniform(2.4, 3.2)) / 0.8) ** 2)
        imgs[i] = img + r.normal(0, 0.06, img.shape)
        pts[i] = hx / (SIZE - 1), hy / (SIZE - 1)
    return imgs, pts


class HubSet(Dataset):
    def __init__(self, imgs, pts, mean, std, rng=None):
        self.imgs, self.pts, self.mean, self.std, self.rng = imgs, pts, mean, std, rng

    def __len__(self):
        return len(self.imgs)

    def __getitem__(self, i):
        img, (x, y) = self.imgs[i], self.pts[i]
        if self.rng is not None:
            r = self.rng
            if r.random() < 0.5:
                img, x = img[:, ::-1], 1 - x
            if r.random() < 0.5:
                img, y = img[::-1], 1 - y
            if r.random() < 0.5:
                img, x, y = img.T, y, x
            img = img * r.uniform(0.8, 1.2) + r.uniform(-0.1, 0.1)
        img = ((img - self.mean) / self.std).astype(np.float32)
        return torch.from_numpy(np.ascontiguousarray(img))[None], torch.tensor([x, y], dtype=torch.float32)
