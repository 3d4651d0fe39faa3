"""Reading the ingredient lines: one line per phrase, tokens and tags in parallel files."""
from collections import Counter
from pathlib import Path

import torch
from torch.nn.utils.rnn import pad_sequence

ROOT = Path(__file__).resolve().parent
TAGS = ["O", "QTY", "UNIT", "PREP", "NAME", "NOTE"]
TAG_ID = {tag: i for i, tag in enumerate(TAGS)}
PAD, UNK = 0, 1
IGNORE = -100


def read_pairs(split):
    tokens = (ROOT / f"{split}.tokens").read_text().splitlines()
    tags = (ROOT / f"{split}.tags").read_text().splitlines()
    assert len(tokens) == len(tags)
    pairs = []
    for line, labels in zip(tokens, tags):
        words, labels = line.split(), labels.split()
        assert len(words) == len(labels), line
        pairs.append((words, labels))
    return pairs


class Vocab:
    def __init__(self, pairs, min_count=2):
        counts = Counter(w for words, _ in pairs for w in words)
        kept = sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i + 2 for i, w in enumerate(kept)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, words):
        return torch.tensor([self.index.get(w, UNK) for w in words])


def encode_all(pairs, vocab):
    return [(vocab.encode(words), torch.tensor([TAG_ID[t] for t in labels])) for words, labels in pairs]


def collate(batch):
    x = pad_sequence([b[0] for b in batch], batch_first=True, padding_value=PAD)
    y = pad_sequence([b[1] for b in batch], batch_first=True, padding_value=IGNORE)
    return x, y
