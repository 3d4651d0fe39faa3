import glob
import random

import numpy as np
import torch
from torch.utils.data import IterableDataset

SCALE, OFFSET = 28.0, 10.0


def read_shard(path):
    with np.load(path) as z:
        yield from zip(z["mfcc"], z["word"])


class ShardStream(IterableDataset):
    def __init__(self, pattern, buffer_size=0):
        self.paths = sorted(glob.glob(pattern))
        self.buffer_size = buffer_size

    def examples(self):
        for path in self.paths:
            for mfcc, word in read_shard(path):
                yield (torch.from_numpy(mfcc).float() - OFFSET) / SCALE, int(word)

    def __iter__(self):
        if not self.buffer_size:
            yield from self.examples()
            return
        pool = []
        for example in self.examples():
            if len(pool) < self.buffer_size:
                pool.append(example)
                continue
            j = random.randrange(self.buffer_size)
            pool[j], example = example, pool[j]
            yield example
        random.shuffle(pool)
        yield from pool
