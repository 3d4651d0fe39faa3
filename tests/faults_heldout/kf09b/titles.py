import torch
from torch.utils.data import Dataset

ALPHABET = " abcdefghijklmnopqrstuvwxyz0123456789-."
LOOK = {c: i + 1 for i, c in enumerate(ALPHABET)}
DEPARTMENTS = ["audio", "bath", "garden", "kitchen", "office", "toys"]


class Titles(Dataset):
    def __init__(self, path, width=36):
        self.rows = []
        with open(path) as fh:
            for line in fh:
                dep, text = line.rstrip("\n").split("\t")
                ids = [LOOK[c] for c in text.lower()[:width]]
                ids += [0] * (width - len(ids))
                self.rows.append((torch.tensor(ids), DEPARTMENTS.index(dep)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]
