import collections
import random

import torch


def read_conll(path):
    out, words, tags = [], [], []
    for line in open(path, encoding="utf8"):
        line = line.strip()
        if line:
            w, t = line.split("\t")
            words.append(w)
            tags.append(t)
        elif words:
            out.append((words, tags))
            words, tags = [], []
    if words:
        out.append((words, tags))
    return out


class Vocab:
    def __init__(self, sents, min_freq=2):
        c = collections.Counter(w for ws, _ in sents for w in ws)
        self.words = {"<pad>": 0, "<unk>": 1}
        for w, n in c.most_common():
            if n >= min_freq:
                self.words[w] = len(self.words)
        self.tags = {t: i for i, t in enumerate(sorted({t for _, ts in sents for t in ts}))}
        self.tag_names = list(self.tags)

    @staticmethod
    def shape(w):
        if w.isdigit():
            return 1
        if w[0].isupper():
            return 2 if w.endswith(".") else 3
        return 4 if w.isalpha() else 5


def batches(sents, vocab, size, rng=None):
    order = list(range(len(sents)))
    if rng is not None:
        rng.shuffle(order)
    for s in range(0, len(order), size):
        part = [sents[i] for i in order[s:s + size]]
        T = max(len(w) for w, _ in part)
        word = torch.zeros(len(part), T, dtype=torch.long)
        shape = torch.zeros_like(word)
        tag = torch.zeros_like(word)
        mask = torch.zeros(len(part), T, dtype=torch.bool)
        for r, (ws, ts) in enumerate(part):
            n = len(ws)
            word[r, :n] = torch.tensor([vocab.words.get(w, 1) for w in ws])
            shape[r, :n] = torch.tensor([Vocab.shape(w) for w in ws])
            tag[r, :n] = torch.tensor([vocab.tags[t] for t in ts])
            mask[r, :n] = True
        yield word, shape, tag, mask


def spans(tags):
    found, start, kind = set(), None, None
    for i, t in enumerate(list(tags) + ["O"]):
        if start is not None and t != "I-" + kind:
            found.add((start, i, kind))
            start = None
        if t.startswith("B-"):
            start, kind = i, t[2:]
    return found
