"""Streams feature records shard by shard; never holds more than the buffer in memory."""
import random
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import IterableDataset


class ShardStream(IterableDataset):
    def __init__(self, folder, buffer_size, stats, seed=0):
        self.files = sorted(Path(folder).glob("part-*.npz"))
        if not self.files:
            raise FileNotFoundError(folder)
        self.buffer_size = buffer_size
        self.mean, self.std = stats
        self.rng = random.Random(seed)

    def records(self):
        for f in self.files:
            with np.load(f) as z:
                feats, labels = z["feats"].astype(np.float32), z["label"].astype(np.int64)
            feats = (feats - self.mean) / self.std
            yield from zip(feats, labels)

    def __iter__(self):
        buffer = []
        for rec in self.records():
            if len(buffer) < self.buffer_size:
                buffer.append(rec)
                continue
            k = self.rng.randrange(len(buffer))
            out, buffer[k] = buffer[k], rec
            yield self.pack(out)
        self.rng.shuffle(buffer)
        for rec in buffer:
            yield self.pack(rec)

    @staticmethod
    def pack(rec):
        return torch.from_numpy(rec[0]), int(rec[1])
