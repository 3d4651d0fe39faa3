"""Machine event logs of unequal length; the class is which fault pair (A soon followed by B) occurs."""
import numpy as np
import torch
from torch.utils.data import Dataset

PAD = 0
N_EVENTS = 20
PAIRS = [(3, 7), (5, 11), (7, 5), (11, 3)]


def make_logs(n, seed):
    rng = np.random.default_rng(seed)
    logs, labels = [], []
    for _ in range(n):
        k = int(rng.integers(len(PAIRS)))
        length = int(rng.integers(10, 25))
        e = rng.integers(1, N_EVENTS, length)
        a, b = PAIRS[k]
        i = int(rng.integers(0, length - 4))
        e[np.isin(e, [3, 5, 7, 11])] = 1
        if rng.random() < 0.3:
            e[int(rng.integers(length))] = rng.choice([3, 5, 7, 11])
        e[i], e[i + int(rng.integers(1, 4))] = a, b
        logs.append(e)
        labels.append(k)
    return logs, labels


class LogSet(Dataset):
    def __init__(self, n, seed):
        self.logs, self.labels = make_logs(n, seed)

    def __len__(self):
        return len(self.logs)

    def __getitem__(self, i):
        return torch.as_tensor(self.logs[i]), self.labels[i]


def pad_batch(items):
    seqs, labels = zip(*items)
    x = torch.nn.utils.rnn.pad_sequence(list(seqs), batch_first=True, padding_value=PAD)
    return x, torch.tensor(labels)
