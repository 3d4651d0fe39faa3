import random
from collections import Counter
from pathlib import Path

import torch
from torch.utils.data import Dataset

ROOT = Path(__file__).resolve().parent


def read_tickets(rel):
    rows = []
    for line in (ROOT / rel).read_text().splitlines():
        label, text = line.split("\t")
        rows.append((label, text.split()))
    return rows


class Vocab:
    def __init__(self, texts, min_count=2):
        counts = Counter(w for t in texts for w in t)
        self.words = ["<unk>"] + sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i for i, w in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, words):
        return [self.index.get(w, 0) for w in words]


class TicketDataset(Dataset):
    def __init__(self, rows, vocab, labels):
        self.items = [(vocab.encode(t), labels.index(l)) for l, t in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    ids = torch.tensor([w for t, _ in batch for w in t])
    lengths = torch.tensor([0] + [len(t) for t, _ in batch[:-1]])
    return ids, lengths.cumsum(0), torch.tensor([y for _, y in batch])


def build_datasets(cfg):
    rows = read_tickets(cfg.data)
    random.Random(cfg.seed).shuffle(rows)
    n_val = int(len(rows) * cfg.val_fraction)
    val, train = rows[:n_val], rows[n_val:]
    vocab = Vocab([t for _, t in train])
    labels = sorted({l for l, _ in rows})
    return TicketDataset(train, vocab, labels), TicketDataset(val, vocab, labels), vocab, labels
