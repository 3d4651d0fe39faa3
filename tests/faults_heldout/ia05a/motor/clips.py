import csv

import numpy as np
import torch
from torch.utils.data import TensorDataset


class ClipTable:
    """Cuts the clips that the manifest lists out of the stored recordings."""

    def __init__(self, store, manifest, length):
        z = np.load(store)
        self.sound = z["sound"]
        self.state = z["state"]
        self.length = length
        self.rows = {}
        with open(manifest, newline="") as fh:
            for r in csv.DictReader(fh):
                self.rows.setdefault(r["part"], []).append((int(r["recording"]), int(r["start"])))

    def part(self, name):
        rows = self.rows[name]
        clips = np.stack([self.sound[r, s:s + self.length] for r, s in rows]).astype(np.float32)
        clips = (clips - clips.mean(1, keepdims=True)) / (clips.std(1, keepdims=True) + 1e-3)
        y = np.array([self.state[r] for r, _ in rows], dtype=np.int64)
        return TensorDataset(torch.from_numpy(clips[:, None]), torch.from_numpy(y))
