import json
import random
from collections import Counter

import torch

TAGS = ["O", "BRAND", "MODEL", "PRICE", "CONDITION", "CITY"]
TAG_ID = {t: i for i, t in enumerate(TAGS)}
PAD_WORD = 0
UNK_WORD = 1
IGNORE = -100


def read_jsonl(path):
    out = []
    with open(path, encoding="utf-8") as fh:
        for line in fh:
            rec = json.loads(line)
            out.append((rec["words"], rec["tags"]))
    return out


class Vocab:
    def __init__(self, examples, min_count=2):
        counts = Counter(w.lower() for words, _ in examples for w in words)
        kept = sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i + 2 for i, w in enumerate(kept)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, words):
        return [self.index.get(w.lower(), UNK_WORD) for w in words]


def collate(chunk, vocab):
    lengths = torch.tensor([len(words) for words, _ in chunk])
    longest = int(lengths.max())
    words = torch.full((len(chunk), longest), PAD_WORD, dtype=torch.long)
    tags = torch.full((len(chunk), longest), IGNORE, dtype=torch.long)
    for i, (ws, ts) in enumerate(chunk):
        words[i, : len(ws)] = torch.tensor(vocab.encode(ws))
        tags[i, : len(ts)] = torch.tensor([TAG_ID[t] for t in ts])
    return words, lengths, tags


def batches(examples, vocab, size, shuffle=False):
    order = list(range(len(examples)))
    if shuffle:
        random.shuffle(order)
    for start in range(0, len(order), size):
        yield collate([examples[i] for i in order[start : start + size]], vocab)
