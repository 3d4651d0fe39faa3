"""Cuts night recordings into fixed windows with a stage label each."""
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass
class WindowTable:
    x: np.ndarray          # (n, channels, length)
    y: np.ndarray          # (n,)
    recording: np.ndarray  # (n,)
    start: np.ndarray      # (n,)

    def __len__(self):
        return len(self.y)

    def take(self, idx):
        return WindowTable(self.x[idx], self.y[idx], self.recording[idx], self.start[idx])


def cut(folder, length, hop):
    xs, ys, recs, starts = [], [], [], []
    for r, path in enumerate(sorted(Path(folder).glob("*.npz"))):
        with np.load(path) as z:
            signal = z["signal"].astype(np.float32) / 16.0
            stage = z["stage"]
        for s in range(0, signal.shape[1] - length + 1, hop):
            seg = stage[s:s + length]
            counts = np.bincount(seg)
            if counts.max() < 0.75 * length:   # transition between stages
                continue
            xs.append(signal[:, s:s + length])
            ys.append(counts.argmax())
            recs.append(r)
            starts.append(s)
    return WindowTable(np.stack(xs), np.array(ys), np.array(recs), np.array(starts))
