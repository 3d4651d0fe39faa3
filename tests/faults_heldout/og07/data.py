import numpy as np
import torch
from torch.utils.data import Dataset

MAXLEN = 10


def pad_left(ids):
    out = torch.zeros(MAXLEN, dtype=torch.long)
    ids = ids[-MAXLEN:]
    if len(ids):
        out[-len(ids):] = torch.as_tensor(ids)
    return out


class Plays(Dataset):
    """Every position of every listening session becomes one (history, track) example."""

    def __init__(self, sessions):
        self.sessions = sessions
        self.index = [(u, k) for u, s in enumerate(sessions) for k in range(3, len(s))]

    def __len__(self):
        return len(self.index)

    def __getitem__(self, i):
        u, k = self.index[i]
        s = self.sessions[u]
        return pad_left(s[: k + 1]), int(s[k])


def load(path="sessions.npy", holdout=200):
    raw = np.load(path).astype(np.int64)
    return raw[:-holdout], raw[-holdout:]
