from pathlib import Path

import numpy as np
import torch


class Windows:
    """cuts a long record into parallel lanes and walks along them in order of time"""

    def __init__(self, record, lanes, span):
        n = (len(record) - 1) // lanes
        self.x = record[:n * lanes].view(lanes, n)
        self.y = record[1:n * lanes + 1].view(lanes, n)
        self.span, self.n = span, n

    def __iter__(self):
        for t in range(0, self.n - self.span + 1, self.span):
            yield self.x[:, t:t + self.span, None], self.y[:, t:t + self.span, None]


def record():
    z = np.load(Path(__file__).parent / "tide.npy").astype(np.float32)
    cut = int(len(z) * 0.8)
    m, s = z[:cut].mean(), z[:cut].std()
    z = torch.from_numpy((z - m) / s)
    return z[:cut], z[cut:]
