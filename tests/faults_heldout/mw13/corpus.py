import random

import torch
from torch.nn.utils.rnn import pad_sequence

TAGS = ["NAME", "UNIT", "HOUSE", "STREET", "CITY", "POST", "NOTE"]
PAD, UNK = 0, 1
IGNORE = -100


def read(path):
    out = []
    for line in open(path, encoding="utf-8"):
        pairs = [tok.rsplit("/", 1) for tok in line.split()]
        out.append(([w for w, _ in pairs], [TAGS.index(t) for _, t in pairs]))
    return out


def shape(word):
    """Numbers and codes are replaced by their pattern."""
    return "".join("9" if c.isdigit() else c for c in word) if any(c.isdigit() for c in word) else word


def vocabulary(rows):
    return {w: i + 2 for i, w in enumerate(sorted({shape(w) for words, _ in rows for w in words}))}


def batches(rows, vocab, size, shuffle=False):
    rows = random.sample(rows, len(rows)) if shuffle else rows
    for i in range(0, len(rows), size):
        part = rows[i:i + size]
        ids = pad_sequence([torch.tensor([vocab.get(shape(w), UNK) for w in ws]) for ws, _ in part], True, PAD)
        tags = pad_sequence([torch.tensor(ts) for _, ts in part], True, IGNORE)
        yield ids, tags
