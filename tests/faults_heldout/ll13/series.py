import csv
import math
import random
from datetime import datetime
from pathlib import Path

import torch
from torch.utils.data import IterableDataset


def read(path):
    load, extra = [], []
    for row in csv.DictReader(Path(path).open()):
        t = datetime.fromisoformat(row["time"])
        load.append(float(row["load_mw"]))
        h, w = 2 * math.pi * t.hour / 24, 2 * math.pi * (t.weekday() * 24 + t.hour) / 168
        extra.append([float(row["outside_c"]), math.sin(h), math.cos(h), math.sin(w), math.cos(w), float(t.weekday() >= 5)])
    return torch.tensor(load), torch.tensor(extra)


class Scaler:
    def __init__(self, x):
        self.mean, self.std = x.mean(0), x.std(0)

    def __call__(self, x):
        return (x - self.mean) / self.std

    def back(self, z):
        return z * self.std + self.mean


class WindowStream(IterableDataset):
    """Streams (history, known future inputs, future load) windows; a shuffle buffer mixes them for training."""

    def __init__(self, load, extra, history, horizon, stride=1, buffer=0, seed=0):
        self.load, self.extra = load, extra
        self.history, self.horizon, self.stride = history, horizon, stride
        self.buffer, self.seed, self.epoch = buffer, seed, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def windows(self, offset):
        for s in range(offset, len(self.load) - self.history - self.horizon + 1, self.stride):
            m, e = s + self.history, s + self.history + self.horizon
            past = torch.cat([self.load[s:m, None], self.extra[s:m]], 1)
            yield past, self.extra[m:e], self.load[m:e]

    def __iter__(self):
        if not self.buffer:
            yield from self.windows(0)
            return
        rng = random.Random(self.seed * 1000 + self.epoch)
        pool = []
        for w in self.windows(rng.randrange(self.stride)):     # another phase every epoch
            if len(pool) < self.buffer:
                pool.append(w)
                continue
            k = rng.randrange(self.buffer)
            pool[k], w = w, pool[k]
            yield w
        rng.shuffle(pool)
        yield from pool
