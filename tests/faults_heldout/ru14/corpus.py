from collections import Counter

import torch
from torch.nn.utils.rnn import pad_sequence

LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG"]
IGNORE = -100


def read_conll(path):
    sents, cur = [], []
    for line in open(path):
        line = line.strip()
        if line:
            cur.append(tuple(line.rsplit(" ", 1)))
        elif cur:
            sents.append(cur)
            cur = []
    if cur:
        sents.append(cur)
    return sents


def shape(word):
    return 1 + (2 if word[0].isupper() else 0) + (1 if len(word) > 6 else 0)


class Encoder:
    def __init__(self, sents, min_count=2):
        words = Counter(w for s in sents for w, _ in s)
        suffixes = Counter(w[-3:].lower() for s in sents for w, _ in s)
        self.word = {w: i + 2 for i, w in enumerate(w for w, c in words.items() if c >= min_count)}
        self.suffix = {w: i + 2 for i, w in enumerate(suffixes)}

    def __call__(self, sent):
        w = torch.tensor([self.word.get(t, 1) for t, _ in sent])
        s = torch.tensor([self.suffix.get(t[-3:].lower(), 1) for t, _ in sent])
        c = torch.tensor([shape(t) for t, _ in sent])
        y = torch.tensor([LABELS.index(l) for _, l in sent])
        return w, s, c, y


def collate(items):
    w, s, c, y = zip(*items)
    lengths = torch.tensor([len(t) for t in w])
    pad = lambda seqs, v: pad_sequence(seqs, batch_first=True, padding_value=v)
    return pad(w, 0), pad(s, 0), pad(c, 0), pad(y, IGNORE), lengths


def spans(tags):
    out, start, kind = set(), None, None
    for i, t in enumerate(list(tags) + ["O"]):
        if start is not None and not (t.startswith("I-") and t[2:] == kind):
            out.add((start, i, kind))
            start = None
        if t.startswith("B-"):
            start, kind = i, t[2:]
    return out
