"""Streaming reader over npz shards (the full collection does not fit into memory on the edge boxes)."""
import glob
import random

import numpy as np
import torch
from torch.utils.data import IterableDataset


class ShardStream(IterableDataset):
    def __init__(self, pattern):
        self.files = sorted(glob.glob(pattern))

    def __iter__(self):
        for path in self.files:
            with np.load(path) as z:
                images, digits = z["image"], z["digit"]
            for image, digit in zip(images, digits):
                yield to_tensor(image), int(digit)


class Shuffler(IterableDataset):
    """Keeps a reservoir of samples and emits a random one for each sample that comes in."""

    def __init__(self, source, size):
        self.source, self.size = source, size

    def __iter__(self):
        pool = []
        for sample in self.source:
            if len(pool) < self.size:
                pool.append(sample)
                continue
            k = random.randrange(self.size)
            out, pool[k] = pool[k], sample
            yield out
        random.shuffle(pool)
        yield from pool


def to_tensor(image):
    return (torch.from_numpy(image.astype(np.float32))[None] - 4.9) / 6.0


def load_all(path):
    with np.load(path) as z:
        return torch.stack([to_tensor(i) for i in z["image"]]), torch.from_numpy(z["digit"].astype(np.int64))
