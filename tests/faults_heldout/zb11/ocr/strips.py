from pathlib import Path

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset


class Strips(Dataset):
    """Grey-level strips (8 rows) holding 3-5 handwritten digits each."""

    def __init__(self, path, split):
        d = np.load(Path(path))
        self.images = d[f"{split}_x"].astype(np.float32) / 16.0
        self.labels, self.lengths = d[f"{split}_y"], d[f"{split}_len"]

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]), torch.from_numpy(self.labels[i, : self.lengths[i]].astype(np.int64))


def collate(items):
    x = torch.stack([a for a, _ in items])
    lens = torch.tensor([len(b) for _, b in items])
    return x, pad_sequence([b for _, b in items], batch_first=True), lens
