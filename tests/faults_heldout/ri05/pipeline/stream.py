"""Streaming access to the recorded vibration clips."""
import glob
import random

import numpy as np
import torch
from torch.utils.data import IterableDataset


def read_shards(pattern, scale):
    for path in sorted(glob.glob(pattern)):
        with np.load(path) as z:
            x, y = z["x"].astype(np.float32) / scale, z["y"]
        for clip, label in zip(x, y):
            yield torch.from_numpy(clip)[None], int(label)


def buffered_shuffle(stream, size, rng):
    """Reservoir-style shuffle: keep `size` items and emit a random one for each new item."""
    buf = []
    for item in stream:
        if len(buf) < size:
            buf.append(item)
            continue
        j = rng.randrange(size)
        out, buf[j] = buf[j], item
        yield out
    rng.shuffle(buf)
    yield from buf


class ClipStream(IterableDataset):
    def __init__(self, pattern, scale, buffer=0, seed=0):
        self.pattern, self.scale, self.buffer, self.seed = pattern, scale, buffer, seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        stream = read_shards(self.pattern, self.scale)
        if self.buffer:
            rng = random.Random(self.seed * 1009 + self.epoch)
            stream = buffered_shuffle(stream, self.buffer, rng)
        return stream
