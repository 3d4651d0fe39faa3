import torch
from torch.utils.data import Dataset


class Vocab:
    def __init__(self, text):
        self.itos = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, s):
        return torch.tensor([self.stoi[c] for c in s], dtype=torch.long)

    def decode(self, ids):
        return "".join(self.itos[int(i)] for i in ids)


class Windows(Dataset):
    """Non-overlapping windows, target is the window moved by one character."""

    def __init__(self, ids, seq_len):
        n = (len(ids) - 1) // seq_len
        self.x = ids[: n * seq_len].view(n, seq_len)
        self.y = ids[1: n * seq_len + 1].view(n, seq_len)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
