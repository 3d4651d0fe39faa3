import json

import numpy as np
import torch
from torch.utils.data import Dataset

UNK = 0


def load_vocab(path="vocab.json"):
    with open(path) as f:
        return json.load(f)


class VisitDataset(Dataset):
    """One hospital visit = 12 diagnosis codes + whether the patient came back within 30 days."""

    def __init__(self, codes, labels, vocab):
        self.labels = torch.as_tensor(labels, dtype=torch.float32)
        self.tokens = torch.tensor([self.encode(v, vocab) for v in codes])

    @staticmethod
    def encode(visit, vocab):
        return [vocab.get(code, UNK) for code in visit]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.tokens[i], self.labels[i]


def load_splits(path="visits.npz", n_train=2000):
    raw = np.load(path)
    codes, y = raw["codes"].tolist(), raw["readmitted"]
    vocab = load_vocab()
    return (VisitDataset(codes[:n_train], y[:n_train], vocab),
            VisitDataset(codes[n_train:], y[n_train:], vocab),
            len(vocab) + 1)
