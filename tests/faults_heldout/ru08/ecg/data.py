import numpy as np
import torch
from torch.utils.data import Dataset


class BeatDataset(Dataset):
    """Single heart beats; patients are kept on one side of the split."""

    def __init__(self, path, patients):
        self.archive = np.load(path)
        self.rows = np.flatnonzero(np.isin(self.archive["patient"], list(patients)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        signal = self.archive["signal"][row].astype(np.float32) / 60.0
        label = int(self.archive["label"][row])
        return torch.from_numpy(signal).unsqueeze(0), label
