import json
import re
from collections import Counter

import torch
from torch.utils.data import Dataset


def tokenize(s):
    return re.findall(r"[a-z']+", s.lower())


class Tickets(Dataset):
    def __init__(self, rows, vocab, queues):
        self.items = [(torch.tensor([vocab.get(w, 1) for w in tokenize(r["text"])]), queues.index(r["queue"]))
                      for r in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def read_rows(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


def build_vocab(rows, floor=2):
    count = Counter(w for r in rows for w in tokenize(r["text"]))
    return {w: i + 2 for i, w in enumerate(sorted(w for w, c in count.items() if c >= floor))}


def collate(batch):
    """longest ticket first, as pack_padded_sequence wants it"""
    seqs, labels = zip(*batch)
    seqs = sorted(seqs, key=len, reverse=True)
    lengths = torch.tensor([len(s) for s in seqs])
    padded = torch.nn.utils.rnn.pad_sequence(seqs, batch_first=True, padding_value=0)
    return padded, lengths, torch.tensor(labels)
