from pathlib import Path

import torch
from torch.utils.data import Dataset

HERE = Path(__file__).parent


class Words:
    def __init__(self, text):
        self.itos = ["<unk>", "\n"] + sorted(set(text.split()))
        self.stoi = {w: k for k, w in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        tokens = [w for line in text.splitlines() for w in line.split() + ["\n"]]
        return torch.tensor([self.stoi.get(w, 0) for w in tokens])


class Blocks(Dataset):
    """Contiguous blocks of a token stream for language modelling."""

    def __init__(self, stream, length):
        self.stream, self.length = stream, length

    def __len__(self):
        return (len(self.stream) - 1) // self.length

    def __getitem__(self, k):
        lo = k * self.length
        block = self.stream[lo:lo + self.length + 1]
        return {"input_ids": block[:-1], "labels": block[1:]}


def read(name):
    return (HERE / f"{name}.txt").read_text()
