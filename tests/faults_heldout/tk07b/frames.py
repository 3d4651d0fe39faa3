"""Synthetic infrared frames of a 24 x 24 detector: warm blobs over a drifting background."""
import numpy as np
import torch
from torch.utils.data import Dataset

YY, XX = np.mgrid[0:24, 0:24]


class FrameDataset(Dataset):
    """Noisy frame and clean frame; the denoiser has to recover the latter."""

    def __init__(self, n, seed, noise):
        rng = np.random.default_rng(seed)
        self.clean = torch.tensor(np.stack([self._scene(rng) for _ in range(n)]), dtype=torch.float32)
        self.clean = self.clean.unsqueeze(1)
        grid = rng.normal(0, 0.3 * noise, (n, 1, 1, 24))
        self.noisy = self.clean + torch.tensor(rng.normal(0, noise, (n, 1, 24, 24)) + grid,
                                               dtype=torch.float32)

    @staticmethod
    def _scene(rng):
        slope = rng.normal(0, 0.3, 2)
        frame = slope[0] * (XX / 12 - 1) + slope[1] * (YY / 12 - 1)
        for _ in range(rng.integers(1, 5)):
            cx, cy = rng.uniform(3, 21, 2)
            sx, sy = rng.uniform(1.0, 3.5, 2)
            frame = frame + rng.uniform(0.6, 1.8) * np.exp(-((XX - cx) / sx) ** 2 - ((YY - cy) / sy) ** 2)
        return frame

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, i):
        return self.noisy[i], self.clean[i]
