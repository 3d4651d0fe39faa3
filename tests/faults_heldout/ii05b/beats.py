import json

import numpy as np
import torch
from torch.utils.data import Dataset

CLASSES = ["normal", "ventricular", "supraventricular", "fusion", "paced"]


class BeatDataset(Dataset):
    """Single beats of a two-lead recording; `ids` selects rows of the archive."""

    def __init__(self, archive, ids):
        self.signal = torch.from_numpy(archive["signal"][ids].astype(np.float32)) / 64.0
        self.rhythm = torch.from_numpy(archive["rhythm"][ids].astype(np.int64))

    def __len__(self):
        return len(self.signal)

    def __getitem__(self, i):
        return self.signal[i], self.rhythm[i]


def open_archive(path, split_path):
    archive = np.load(path)
    with open(split_path) as fh:
        split = json.load(fh)
    return {name: BeatDataset(archive, np.asarray(split[name])) for name in ("train", "val", "test")}
