"""Windows over hourly smart-meter readings, one gzipped csv per household."""
import csv
import gzip
import json
from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class MeterWindows(Dataset):
    def __init__(self, root, split, history, horizon, stride, keep_files):
        self.root = Path(root)
        index = json.loads((self.root / "index.json").read_text())
        self.history, self.horizon = history, horizon
        self.cut = index["train_hours"]
        self.keep_files = keep_files
        self._open = OrderedDict()
        lo, hi = (0, self.cut) if split == "train" else (self.cut, index["hours"])
        span = history + horizon
        self.items = [(name, start)
                      for name in index["files"]
                      for start in range(lo, hi - span + 1, stride)]

    def _read(self, name):
        hours, load = [], []
        with gzip.open(self.root / name, "rt", newline="") as fh:
            for row in csv.DictReader(fh):
                hours.append(int(row["hour"]) % 24)
                load.append(float(row["kwh"]))
        load = np.asarray(load, dtype=np.float32)
        ref = load[: self.cut]
        load = (load - ref.mean()) / ref.std()
        angle = np.asarray(hours, dtype=np.float32) * (2 * np.pi / 24)
        return torch.from_numpy(np.stack([load, np.sin(angle), np.cos(angle)]).astype(np.float32))

    def _household(self, name):
        if name in self._open:
            self._open.move_to_end(name)
            return self._open[name]
        table = self._read(name)
        self._open[name] = table
        while len(self._open) > self.keep_files:
            self._open.popitem(last=False)
        return table

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        name, start = self.items[i]
        table = self._household(name)
        mid = start + self.history
        return table[:, start:mid], table[0, mid:mid + self.horizon]
