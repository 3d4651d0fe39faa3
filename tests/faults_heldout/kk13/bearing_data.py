import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

HERE = Path(__file__).resolve().parent
CONDITIONS = ["normal", "impact", "whirl"]


def read_labels(path=HERE / "labels.csv"):
    with open(path, newline="") as f:
        return [CONDITIONS.index(row["condition"]) for row in csv.DictReader(f)]


def list_recordings(folder=HERE / "recordings"):
    return sorted(str(p) for p in Path(folder).glob("*.npy"))


class BearingDataset(Dataset):
    """Vibration snippets of test-bench bearings, one .npy per recording."""

    def __init__(self, indices=None, jitter=0):
        files, labels = list_recordings(), read_labels()
        assert len(files) == len(labels), "recordings and labels.csv differ in length"
        samples = list(zip(files, labels))
        self.samples = samples if indices is None else [samples[i] for i in indices]
        self.cache = [np.load(f).astype(np.float32) for f, _ in self.samples]
        self.jitter = jitter

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        x = torch.from_numpy(self.cache[i])
        if self.jitter:
            x = torch.roll(x, int(torch.randint(-self.jitter, self.jitter + 1, (1,))))
        x = (x - x.mean()) / (x.std() + 1e-6)
        return x.unsqueeze(0), self.samples[i][1]


def split(n, val=0.25, seed=0):
    perm = np.random.RandomState(seed).permutation(n)
    k = int(n * val)
    return perm[k:].tolist(), perm[:k].tolist()
