import csv
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).resolve().parent
TARGET = "load_kw"


def read_table(name):
    with open(HERE / name, newline="") as fh:
        rows = list(csv.reader(fh))
    header, body = rows[0], rows[1:]
    arr = np.array(body, dtype=np.float64)
    t = header.index(TARGET)
    x = np.delete(arr, t, axis=1).astype(np.float32)
    y = arr[:, t].astype(np.float32)
    names = [h for h in header if h != TARGET]
    return torch.from_numpy(x), torch.from_numpy(y), names


class Batches:
    """Shuffled mini batches over two tensors held in memory."""

    def __init__(self, x, y, size, seed=0):
        self.x, self.y, self.size = x, y, size
        self.gen = torch.Generator().manual_seed(seed)

    def __len__(self):
        return (len(self.x) + self.size - 1) // self.size

    def __iter__(self):
        order = torch.randperm(len(self.x), generator=self.gen)
        for i in range(0, len(order), self.size):
            j = order[i:i + self.size]
            yield self.x[j], self.y[j]
