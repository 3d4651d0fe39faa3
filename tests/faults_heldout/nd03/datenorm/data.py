import zlib
from pathlib import Path

import torch
from torch.utils.data import Dataset

PAD, SEP, END = 0, 1, 2
IGNORE = -100


class Vocab:
    def __init__(self, texts):
        self.chars = sorted(set("".join(texts)))
        self.index = {c: i + 3 for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars) + 3

    def encode(self, text):
        return [self.index[c] for c in text]

    def decode(self, ids):
        return "".join(self.chars[i - 3] for i in ids if i >= 3)


def read_pairs(path):
    pairs = [line.split("\t") for line in Path(path).read_text().splitlines()]
    # all spellings of one calendar day go to the same side
    held = [zlib.crc32(iso.encode()) % 10 == 0 for _, iso in pairs]
    train = [tuple(p) for p, h in zip(pairs, held) if not h]
    val = [tuple(p) for p, h in zip(pairs, held) if h]
    return train, val


class DatePairs(Dataset):
    def __init__(self, pairs, vocab):
        self.items = [(vocab.encode(a), vocab.encode(b)) for a, b in pairs]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(items):
    """<text> SEP <iso> END; the loss only looks at the iso part."""
    width = max(len(a) + len(b) + 1 for a, b in items)
    x = torch.full((len(items), width), PAD)
    y = torch.full((len(items), width), IGNORE)
    for r, (a, b) in enumerate(items):
        seq = a + [SEP] + b + [END]
        x[r, : len(seq) - 1] = torch.tensor(seq[:-1])
        y[r, len(a): len(seq) - 1] = torch.tensor(seq[len(a) + 1:])
    return x, y
