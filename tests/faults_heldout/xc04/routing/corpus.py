import json
from collections import Counter

import torch


def read_jsonl(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


class Vocabulary:
    def __init__(self, rows, min_count=2):
        counts = Counter(w for r in rows for w in r["text"].split())
        self.index = {w: k + 1 for k, w in enumerate(sorted(w for w, c in counts.items() if c >= min_count))}

    def __len__(self):
        return len(self.index) + 1

    def encode(self, text):
        return [self.index.get(w, 0) for w in text.split()]


def encode_queues(rows):
    index = {}
    return torch.tensor([index.setdefault(r["queue"], len(index)) for r in rows]), index


class Tickets(torch.utils.data.Dataset):
    def __init__(self, path, vocab=None):
        rows = read_jsonl(path)
        self.vocab = vocab or Vocabulary(rows)
        self.tokens = [torch.tensor(self.vocab.encode(r["text"])) for r in rows]
        self.labels, self.queues = encode_queues(rows)

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return self.tokens[i], self.labels[i]


def collate(batch):
    tokens, labels = zip(*batch)
    lengths = torch.tensor([len(t) for t in tokens])
    offsets = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)[:-1]])
    return torch.cat(tokens), offsets, torch.stack(labels)
