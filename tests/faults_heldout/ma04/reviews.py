import json

import torch
from torch.utils.data import Dataset

PAD, UNK = 0, 1
MAX_LEN = 96  # fixed width, so that the exported graph has one shape


def tokenize(text):
    return text.lower().replace(".", " .").replace(",", " ,").split()


def read(path):
    with open(path) as fh:
        return [json.loads(line) for line in fh]


def build_vocab(rows, min_count=2):
    counts = {}
    for r in rows:
        for w in tokenize(r["text"]):
            counts[w] = counts.get(w, 0) + 1
    words = sorted(w for w, c in counts.items() if c >= min_count)
    return {w: i + 2 for i, w in enumerate(words)}


class Reviews(Dataset):
    def __init__(self, rows, vocab):
        self.items = [(torch.tensor([vocab.get(w, UNK) for w in tokenize(r["text"])]), r["stars"] - 1) for r in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    seqs, stars = zip(*batch)
    lengths = torch.tensor([min(len(s), MAX_LEN) for s in seqs])
    ids = torch.full((len(seqs), MAX_LEN), PAD)
    for row, s, n in zip(ids, seqs, lengths):
        row[:n] = s[:n]
    return ids, lengths, torch.tensor(stars)
