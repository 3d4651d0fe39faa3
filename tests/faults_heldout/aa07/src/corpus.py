import json
from collections import Counter

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

LABELS = {"neg": 0, "pos": 1}


class Vocab:
    def __init__(self, texts, min_freq=1):
        freq = Counter(tok for t in texts for tok in t.split())
        self.itos = ["<pad>", "<unk>"] + [w for w, c in freq.most_common() if c >= min_freq]
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return torch.tensor([self.stoi.get(w, 1) for w in text.split()])


class Reviews(Dataset):
    def __init__(self, rows, vocab):
        self.items = [(vocab.encode(r["text"]), LABELS[r["label"]]) for r in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def read_jsonl(path):
    with open(path, encoding="utf-8") as fh:
        return [json.loads(line) for line in fh if line.strip()]


def collate(batch):
    ids, labels = zip(*batch)
    lengths = torch.tensor([len(i) for i in ids])
    return pad_sequence(ids, batch_first=True), lengths, torch.tensor(labels)
