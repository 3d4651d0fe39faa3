"""Folk-like melodies: each tune picks a key and a figure, the figure repeats with a shift in scale."""
import numpy as np
import torch
from torch.utils.data import Dataset

N_PITCHES = 21
START = N_PITCHES
N_SYMBOLS = N_PITCHES + 1
FIGURES = np.array([[0, 2, 4, 2], [0, 1, 2, 4], [4, 2, 1, 0], [0, 4, 3, 1], [2, 0, 3, 4]])
SHIFTS = np.array([1, -1, 2, 3])


def compose(rng, length):
    figure = FIGURES[rng.integers(len(FIGURES))]
    shift = SHIFTS[rng.integers(len(SHIFTS))]
    base = rng.integers(N_PITCHES)
    k = np.arange(length)
    tune = (base + shift * (k // 4) + figure[k % 4]) % N_PITCHES
    slip = rng.random(length) < 0.02
    return np.where(slip, rng.integers(0, N_PITCHES, length), tune)


class MelodyDataset(Dataset):
    def __init__(self, n, length, seed):
        rng = np.random.default_rng(seed)
        tunes = np.stack([compose(rng, length) for _ in range(n)])
        start = np.full((n, 1), START)
        self.seq = torch.from_numpy(np.concatenate([start, tunes], axis=1))

    def __len__(self):
        return len(self.seq)

    def __getitem__(self, i):
        return self.seq[i, :-1], self.seq[i, 1:]
