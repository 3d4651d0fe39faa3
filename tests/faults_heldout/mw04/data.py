import json
import random
from collections import Counter

import torch


def read(path):
    with open(path, encoding="utf-8") as fh:
        rows = [json.loads(line) for line in fh]
    return [(r["text"].split(), r["queue"]) for r in rows]


def split(rows, seed, share=0.25):
    rows = list(rows)
    random.Random(seed).shuffle(rows)
    cut = int(len(rows) * share)
    return rows[cut:], rows[:cut]


class Vocab:
    def __init__(self, rows, min_count=2):
        counts = Counter(w for words, _ in rows for w in words)
        self.words = ["<unk>"] + sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i for i, w in enumerate(self.words)}
        self.queues = sorted({q for _, q in rows})

    def encode(self, rows):
        ids, offsets, labels = [], [], []
        for words, queue in rows:
            offsets.append(len(ids))
            ids.extend(self.index.get(w, 0) for w in words)
            labels.append(self.queues.index(queue))
        return torch.tensor(ids), torch.tensor(offsets), torch.tensor(labels)


def batches(rows, vocab, size, shuffle=False):
    rows = list(rows)
    if shuffle:
        random.shuffle(rows)
    for i in range(0, len(rows), size):
        yield vocab.encode(rows[i:i + size])
