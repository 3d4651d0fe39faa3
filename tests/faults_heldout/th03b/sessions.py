"""Shop sessions: one per line, item codes separated by blanks."""
import json

import torch
from torch.utils.data import Dataset


def load_vocab(path):
    with open(path) as fh:
        return json.load(fh)


def load_sessions(path, vocab):
    with open(path) as fh:
        return [[vocab[code] for code in line.split()] for line in fh if line.strip()]


class SessionDataset(Dataset):
    def __init__(self, sessions, max_len, pad_id):
        self.sessions = sessions
        self.max_len = max_len
        self.pad_id = pad_id

    def __len__(self):
        return len(self.sessions)

    def __getitem__(self, i):
        items = self.sessions[i][: self.max_len + 1]
        row = torch.full((self.max_len + 1,), self.pad_id, dtype=torch.long)
        row[: len(items)] = torch.tensor(items)
        return row[:-1], row[1:], len(items) - 1
