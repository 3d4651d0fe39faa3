"""Shard reader: a folder of npz files is read one file after the other, nothing but the current file is kept in memory."""
import pathlib
import random

import numpy as np
import torch
from torch.utils.data import IterableDataset


class ShardReader(IterableDataset):
    def __init__(self, folder, pattern, training, seed=0):
        self.files = sorted(pathlib.Path(folder).glob(pattern))
        self.training = training
        self.rng = random.Random(seed)

    def __iter__(self):
        files = list(self.files)
        if self.training:
            self.rng.shuffle(files)
        for path in files:
            with np.load(path) as shard:
                spectra, kinds = shard["spectra"], shard["kinds"]
            rows = list(range(len(kinds)))
            if self.training:
                self.rng.shuffle(rows)
            for r in rows:
                x = torch.from_numpy(spectra[r].astype("float32"))
                yield ((x - x.mean()) / x.std()).unsqueeze(0), int(kinds[r])
