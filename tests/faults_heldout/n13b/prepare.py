import csv

import numpy as np
import torch
from torch.utils.data import Dataset


class CommandClips(Dataset):
    """Log-mel patches (bands x frames, uint8) with the labels of the manifest."""

    def __init__(self, features, manifest, train):
        self.mels = np.load(features)["mels"]
        with open(manifest, newline="") as f:
            self.labels = [int(row["label"]) for row in csv.DictReader(f)]
        assert len(self.labels) == len(self.mels)
        self.train = train

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        mel = torch.from_numpy(self.mels[i]).float() / 64 - 2
        if self.train:
            # SpecAugment, one band and one stretch of time
            b, t = torch.randint(0, mel.shape[0] - 3, ()).item(), torch.randint(0, mel.shape[1] - 4, ()).item()
            mel[b : b + 3] = mel.mean()
            mel[:, t : t + 4] = mel.mean()
        return mel, self.labels[i]
