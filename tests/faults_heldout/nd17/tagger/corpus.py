from collections import Counter
from pathlib import Path

import torch

PAD, UNK = 0, 1


def read_conll(path):
    sents = []
    for block in Path(path).read_text().strip().split("\n\n"):
        sents.append([tuple(line.split("\t")) for line in block.splitlines()])
    return sents


def shape(word):
    if word.replace(".", "").isdigit():
        return "num"
    if any(c.isdigit() for c in word):
        return "mix"
    return "short" if len(word) <= 3 else "word"


class Indexer:
    def __init__(self, sents):
        count = Counter(w for s in sents for w, _ in s)
        self.count = count
        self.words = {w: i + 2 for i, w in enumerate(sorted(count))}
        self.suffixes = {x: i + 2 for i, x in enumerate(sorted({w[-3:] for w in count}))}
        self.shapes = {x: i + 1 for i, x in enumerate(("num", "mix", "short", "word"))}
        self.tags = {t: i for i, t in enumerate(sorted({t for s in sents for _, t in s}))}
        self.names = list(self.tags)

    def encode(self, sent):
        w = [self.words.get(x, UNK) for x, _ in sent]
        s = [self.suffixes.get(x[-3:], UNK) for x, _ in sent]
        p = [self.shapes[shape(x)] for x, _ in sent]
        rare = [self.count[x] <= 2 for x, _ in sent]
        return torch.tensor([w, s, p]), torch.tensor(rare), torch.tensor([self.tags.get(t, self.tags["O"]) for _, t in sent])


def batches(items, size, shuffle):
    order = torch.randperm(len(items)).tolist() if shuffle else range(len(items))
    order = list(order)
    for i in range(0, len(order), size):
        group = [items[j] for j in order[i:i + size]]
        width = max(f.size(1) for f, _, _ in group)
        feats = torch.zeros(len(group), 3, width, dtype=torch.long)
        rare = torch.zeros(len(group), width, dtype=torch.bool)
        tags = torch.zeros(len(group), width, dtype=torch.long)
        mask = torch.zeros(len(group), width, dtype=torch.bool)
        for r, (f, q, t) in enumerate(group):
            n = f.size(1)
            feats[r, :, :n], rare[r, :n], tags[r, :n], mask[r, :n] = f, q, t, True
        yield feats, rare, tags, mask


def spans(tags):
    out, start, kind = set(), None, None
    for i, t in enumerate(list(tags) + ["O"]):
        if start is not None and t != "I-" + kind:
            out.add((start, i, kind))
            start = None
        if t.startswith("B-"):
            start, kind = i, t[2:]
    return out
