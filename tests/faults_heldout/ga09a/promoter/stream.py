"""Streaming reader: walks the shard list in order and yields (one-hot, family) pairs from a small shuffle buffer."""
import random

import numpy as np
import torch
from torch.utils.data import IterableDataset

BASES = "ACGT"


def encode(seq: str) -> np.ndarray:
    out = np.zeros((4, len(seq)), dtype=np.float32)
    for i, b in enumerate(seq):
        out[BASES.index(b), i] = 1.0
    return out


def read_shard(path):
    for line in path.read_text().splitlines():
        seq, family = line.split("\t")
        yield seq, int(family)


class ShardStream(IterableDataset):
    def __init__(self, listing, buffer=256, seed=0):
        self.folder = listing.parent
        self.shards = [l.strip() for l in listing.read_text().splitlines() if l.strip()]
        self.buffer, self.seed, self.epoch = buffer, seed, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def records(self, rng):
        shards = list(self.shards)
        rng.shuffle(shards)
        for name in shards:
            yield from read_shard(self.folder / name)

    def __iter__(self):
        rng = random.Random(self.seed * 1000 + self.epoch)
        pool = []
        for record in self.records(rng):
            pool.append(record)
            if len(pool) >= self.buffer:
                yield self.emit(pool.pop(rng.randrange(len(pool))))
        rng.shuffle(pool)
        for record in pool:
            yield self.emit(record)

    @staticmethod
    def emit(record):
        seq, family = record
        return torch.from_numpy(encode(seq)), family


def load_fixed(path):
    xs, ys = zip(*((encode(s), f) for s, f in read_shard(path)))
    return torch.from_numpy(np.stack(xs)), torch.tensor(ys)
