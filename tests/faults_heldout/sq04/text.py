import os
import re
import torch

PAD, UNK = 0, 1


def read_conll(name):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    sents, cur = [], []
    for line in open(path):
        line = line.strip()
        if line:
            cur.append(tuple(line.split(" ")))
        elif cur:
            sents.append(cur)
            cur = []
    return sents


def shape(word):
    s = re.sub(r"[a-z]+", "x", word)
    return re.sub(r"[0-9]", "9", s)


class Vocab:
    def __init__(self, sents, min_count=2):
        count = {}
        for s in sents:
            for w, _ in s:
                count[w] = count.get(w, 0) + 1
        self.words = {w: i + 2 for i, w in enumerate(sorted(w for w, c in count.items() if c >= min_count))}
        self.ends = {e: i + 2 for i, e in enumerate(sorted({w[-3:] for w in count}))}
        self.shapes = {e: i + 2 for i, e in enumerate(sorted({shape(w) for w in count}))}
        self.tags = sorted({t for s in sents for _, t in s})
        self.tag_id = {t: i for i, t in enumerate(self.tags)}

    def encode(self, sents):
        return [[(self.words.get(w, UNK), self.ends.get(w[-3:], UNK), self.shapes.get(shape(w), UNK), self.tag_id[t])
                 for w, t in s] for s in sents]


def batches(encoded, size, shuffle=None):
    order = list(range(len(encoded)))
    if shuffle is not None:
        shuffle.shuffle(order)
    for k in range(0, len(order), size):
        part = [encoded[i] for i in order[k:k + size]]
        length = max(map(len, part))
        block = torch.zeros(len(part), length, 4, dtype=torch.long)
        for r, s in enumerate(part):
            block[r, :len(s)] = torch.tensor(s)
        yield block[..., :3], block[..., 3], block[..., 0] != PAD


def spans(tags):
    found, start, kind = set(), None, None
    for i, t in enumerate(list(tags) + ["O"]):
        if not t.startswith("I-") or t[2:] != kind:
            if kind is not None:
                found.add((start, i, kind))
            start, kind = (i, t[2:]) if t != "O" else (None, None)
    return found
