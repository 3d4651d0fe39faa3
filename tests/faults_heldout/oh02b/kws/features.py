import numpy as np
import torch
from torch.utils.data import Dataset


class LogMelSet(Dataset):
    """Log-mel frames exported by the feature job (one .npz per split)."""

    def __init__(self, path, stats=None, jitter=0):
        z = np.load(path)
        self.x = torch.from_numpy(z["logmel"].astype(np.float32))  # clips, frames, bands
        self.y = torch.from_numpy(z["word"].astype(np.int64))
        if stats is None:
            stats = self.x.mean((0, 1)), self.x.std((0, 1))
        self.stats = stats
        self.x = (self.x - stats[0]) / stats[1]
        self.jitter = jitter

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.jitter:
            s = int(torch.randint(-self.jitter, self.jitter + 1, ()))
            x = torch.roll(x, s, 0)
        return x, self.y[i]
