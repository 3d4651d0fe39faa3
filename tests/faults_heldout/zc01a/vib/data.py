import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

CLASSES = ["normal", "unbalance", "misalign", "bearing"]


class RigRecordings(Dataset):
    """One accelerometer snapshot (2 axes, 64 samples) per item, with the inspector's verdict."""

    def __init__(self, root, part, valid_share=0.2):
        root = Path(root)
        signals = np.load(root / "snapshots.npz")["acc"].astype(np.float32)
        with open(root / "verdicts.csv", newline="") as fh:
            verdicts = [CLASSES.index(r["verdict"]) for r in csv.DictReader(fh)]
        assert len(signals) == len(verdicts)
        cut = int(len(signals) * (1 - valid_share))
        sel = slice(0, cut) if part == "train" else slice(cut, None)
        mean, std = signals[:cut].mean((0, 2), keepdims=True), signals[:cut].std((0, 2), keepdims=True)
        self.x = torch.from_numpy((signals[sel] - mean) / std)
        self.y = torch.tensor(verdicts[sel])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
