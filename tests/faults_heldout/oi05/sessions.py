from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

WINDOW = 6


def read_sessions(path):
    return [[int(tok) for tok in line.split()] for line in Path(path).read_text().splitlines() if line]


class NextClick(Dataset):
    """All (history, next item) pairs of a set of sessions, kept in flat arrays to stay small."""

    def __init__(self, sessions, n_items):
        hist, nxt = [], []
        for s in sessions:
            for i in range(1, len(s)):
                h = s[max(0, i - WINDOW):i]
                hist.append([n_items] * (WINDOW - len(h)) + h)
                nxt.append(s[i])
        self.hist = np.array(hist, dtype=np.uint16)
        self.next = np.array(nxt).astype(np.uint8)

    def __len__(self):
        return len(self.next)

    def __getitem__(self, i):
        return torch.from_numpy(self.hist[i].astype(np.int64)), int(self.next[i])
