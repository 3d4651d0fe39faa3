from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class Corpus(Dataset):
    def __init__(self, split):
        folder = Path(__file__).resolve().parent
        with np.load(folder / f"{split}.npz") as z:
            self.words = torch.from_numpy(z["words"].astype(np.int64))
            self.tags = torch.from_numpy(z["tags"].astype(np.int64))
            self.length = torch.from_numpy(z["length"].astype(np.int64))

    def __len__(self):
        return len(self.words)

    def __getitem__(self, i):
        return self.words[i], self.tags[i], self.length[i]

    def __getitems__(self, idx):
        idx = torch.as_tensor(idx)
        return self.words[idx], self.tags[idx], self.length[idx]


def passthrough(batch):
    return batch
