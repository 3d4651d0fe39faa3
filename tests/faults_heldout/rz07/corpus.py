import json

import torch


def read(path):
    with open(path, encoding="utf-8") as fh:
        return [json.loads(line) for line in fh]


def build_vocab(records):
    words = sorted({w for r in records for w in r["text"].split()})
    return {w: i + 1 for i, w in enumerate(words)}


def encode(record, vocab):
    return [vocab.get(w, 0) for w in record["text"].split()]


def collate(items):
    words, offsets = [], []
    for ids, _, _ in items:
        offsets.append(len(words))
        words += ids
    teacher = torch.tensor([t for _, t, _ in items])
    queue = torch.tensor([q for _, _, q in items])
    return (torch.tensor(words), torch.tensor(offsets)), teacher, queue
