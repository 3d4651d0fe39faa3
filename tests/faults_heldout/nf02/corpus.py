from collections import Counter
import re

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD, UNK = 0, 1


def read_conll(path):
    sents, cur = [], []
    with open(path, encoding="utf8") as fh:
        for line in fh:
            line = line.rstrip("\n")
            if not line:
                if cur:
                    sents.append(tuple(zip(*cur)))
                cur = []
            else:
                cur.append(tuple(line.split("\t")))
    if cur:
        sents.append(tuple(zip(*cur)))
    return sents


def shape(tok):
    s = re.sub("[A-Z]", "X", tok)
    s = re.sub("[a-z]", "x", s)
    s = re.sub("[0-9]", "d", s)
    return re.sub(r"x+", "x", s)


def normalise(tok):
    return "<num%d>" % len(tok) if tok.isdigit() else tok.lower()


class Vocab:
    def __init__(self, tokens, min_count=1):
        freq = Counter(tokens)
        kept = sorted(t for t, c in freq.items() if c >= min_count)
        self.index = {t: i + 2 for i, t in enumerate(kept)}

    def __len__(self):
        return len(self.index) + 2

    def __call__(self, t):
        return self.index.get(t, UNK)


class TagSet:
    def __init__(self, sents):
        self.names = sorted({t for _, tags in sents for t in tags})
        self.index = {t: i for i, t in enumerate(self.names)}


class Addresses(Dataset):
    def __init__(self, sents, words, shapes, tags):
        self.items = []
        for toks, labels in sents:
            self.items.append(
                (
                    torch.tensor([words(normalise(t)) for t in toks]),
                    torch.tensor([shapes(shape(t)) for t in toks]),
                    torch.tensor([tags.index[l] for l in labels]),
                )
            )

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    w, s, y = zip(*batch)
    lengths = torch.tensor([len(t) for t in w])
    return (
        pad_sequence(w, batch_first=True, padding_value=PAD),
        pad_sequence(s, batch_first=True, padding_value=PAD),
        pad_sequence(y, batch_first=True, padding_value=0),
        lengths,
    )
