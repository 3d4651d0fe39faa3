import numpy as np
import torch
from torch.utils.data import Dataset


class JetFile(Dataset):
    """Jets of one archive; `rows` picks a part of it."""

    def __init__(self, path, rows):
        self.archive = np.load(path)
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        k = self.rows[i]
        parts = self.archive["parts"][k]
        return torch.from_numpy(parts), int(self.archive["label"][k])
