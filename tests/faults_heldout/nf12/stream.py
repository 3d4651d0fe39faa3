import csv
import glob
import math
import random

import torch
from torch.utils.data import IterableDataset

ZONES = "ABCDEF"


def encode(row):
    age = (float(row["driver_age"]) - 48) / 18
    x = [
        age,
        age * age - 1,
        (float(row["power"]) - 8) / 2.6,
        (math.log(float(row["density"]) + 1) - 5) / 1.3,
        (float(row["licence_years"]) - 12) / 7,
    ]
    x += [1.0 if row["zone"] == z else 0.0 for z in ZONES]
    exposure = math.log(float(row["thousand_km"]) / 12)
    return torch.tensor(x), torch.tensor(exposure), torch.tensor(float(row["claims"]))


def rows(path):
    with open(path, newline="") as fh:
        yield from csv.DictReader(fh)


class ClaimStream(IterableDataset):
    def __init__(self, pattern, buffer=0, seed=0):
        self.files = sorted(glob.glob(pattern))
        self.buffer, self.rng = buffer, random.Random(seed)

    def __iter__(self):
        files = self.files[:]
        if not self.buffer:
            for f in files:
                yield from map(encode, rows(f))
            return
        self.rng.shuffle(files)
        pool = []
        for f in files:
            for item in map(encode, rows(f)):
                pool.append(item)
                if len(pool) >= self.buffer:
                    k = self.rng.randrange(len(pool))
                    pool[k], pool[-1] = pool[-1], pool[k]
                    yield pool.pop()
        self.rng.shuffle(pool)
        yield from pool
