import csv

import numpy as np
import torch
from torch.utils.data import Dataset, Subset


class Recordings(Dataset):
    """Mel patches of single calls together with the field annotations."""

    def __init__(self, cfg):
        with np.load(cfg.spectrograms) as z:
            spec = z["spec"].astype(np.float32)
        with open(cfg.annotations, newline="") as f:
            self.meta = list(csv.DictReader(f))
        index = {name: i for i, name in enumerate(cfg.species)}
        self.spec = torch.from_numpy(np.sqrt(spec / 255.0))
        self.label = torch.tensor([index[row["species"]] for row in self.meta])
        assert len(self.spec) == len(self.label)

    def standardise(self, rows):
        ref = self.spec[rows]
        self.spec = (self.spec - ref.mean()) / ref.std()

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.spec[i], self.label[i]


def split(records, fraction, seed):
    order = torch.randperm(len(records), generator=torch.Generator().manual_seed(seed))
    n_val = int(fraction * len(records))
    val, train = order[:n_val], order[n_val:]
    records.standardise(train)
    return Subset(records, train.tolist()), Subset(records, val.tolist())
