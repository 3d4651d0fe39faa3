import torch


def read_conll(path):
    sents, cur = [], []
    for line in open(path):
        line = line.strip()
        if line:
            cur.append(tuple(line.split()))
        elif cur:
            sents.append(cur)
            cur = []
    return sents


def shape(word):
    if word.isdigit():
        return 1 + min(len(word), 5)
    return 0 if word.isalpha() else 7


class Codec:
    def __init__(self, sents, tags, fill, max_len, min_count=2):
        freq = {}
        for s in sents:
            for w, _ in s:
                freq[w] = freq.get(w, 0) + 1
        kept = sorted(w for w, c in freq.items() if c >= min_count and not w.isdigit())
        self.vocab = {w: i + 2 for i, w in enumerate(kept)}   # 0 padding, 1 unknown
        self.tags = {t: i for i, t in enumerate(tags)}
        self.fill = self.tags[fill]
        self.max_len = max_len

    def encode(self, sents):
        n, L = len(sents), self.max_len
        words = torch.zeros(n, L, dtype=torch.long)
        shapes = torch.zeros(n, L, dtype=torch.long)
        tags = torch.full((n, L), self.fill)
        lens = torch.zeros(n, dtype=torch.long)
        for k, s in enumerate(sents):
            s = s[:L]
            lens[k] = len(s)
            for j, (w, t) in enumerate(s):
                words[k, j] = self.vocab.get(w, 1)
                shapes[k, j] = shape(w)
                tags[k, j] = self.tags[t]
        return words, shapes, tags, lens
