import numpy as np
import torch

CONTEXT, HORIZON = 96, 24


def calendar(n):
    h = np.arange(n)
    hod, dow = h % 24, (h // 24) % 7
    return np.stack([np.sin(2 * np.pi * hod / 24), np.cos(2 * np.pi * hod / 24), (dow >= 5).astype(float)], 0).astype(np.float32)


class WindowBank:
    """Windows of (context + horizon) hours whose forecast lies inside [lo, hi)."""

    def __init__(self, load, lo, hi, stride):
        self.load = torch.from_numpy(load)
        self.cal = torch.from_numpy(calendar(load.shape[1]))
        starts = range(max(lo, CONTEXT), hi - HORIZON + 1, stride)
        self.index = torch.tensor([(s, t) for s in range(load.shape[0]) for t in starts])

    def __len__(self):
        return len(self.index)

    def batch(self, rows):
        past, fut, cal = [], [], []
        for s, t in self.index[rows].tolist():
            past.append(self.load[s, t - CONTEXT:t])
            fut.append(self.load[s, t:t + HORIZON])
            cal.append(self.cal[:, t - CONTEXT:t + HORIZON])
        past, fut, cal = torch.stack(past), torch.stack(fut), torch.stack(cal)
        scale = past.mean(1, keepdim=True)
        return past / scale - 1, fut / scale - 1, cal, scale

    def batches(self, size, generator=None):
        order = torch.arange(len(self)) if generator is None else torch.randperm(len(self), generator=generator)
        for rows in order.split(size):
            yield self.batch(rows)
