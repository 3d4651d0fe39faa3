import numpy as np
import torch
from torch.utils.data import Dataset


class BeatRecords(Dataset):
    """Windows of a single-lead recording; the archive stays on disk and is indexed on demand."""

    def __init__(self, path, index):
        self.archive = np.load(path)
        self.index = np.asarray(index)

    def __len__(self):
        return len(self.index)

    def __getitem__(self, i):
        k = self.index[i]
        wave = self.archive["signal"][k].astype(np.float32) / 400.0
        wave -= np.median(wave)
        return torch.from_numpy(wave)[None], int(self.archive["label"][k])
