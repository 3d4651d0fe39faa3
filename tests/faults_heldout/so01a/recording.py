"""Reads an exported wrist-band session: a raw int8 file plus its json sidecar."""
import json
from pathlib import Path

import numpy as np
import torch


class Session:
    def __init__(self, folder):
        folder = Path(folder)
        self.meta = json.loads((folder / "session.json").read_text())
        raw = np.fromfile(folder / self.meta["file"], dtype=np.int8)
        n, dims, axes = self.meta["trials"], self.meta["dims"], self.meta["axes"]
        x = raw.reshape(n, *(dims[a] for a in axes))
        x = np.moveaxis(x, 1 + axes.index("sensor"), 1)          # -> trial, sensor, time
        self.x = torch.tensor(np.ascontiguousarray(x), dtype=torch.float32) * self.meta["scale"]
        self.y = torch.tensor(np.loadtxt(folder / "gestures.txt", dtype=np.int64))

    def split(self, frac, seed):
        g = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(self.x), generator=g)
        k = int(frac * len(order))
        return order[:k], order[k:]
