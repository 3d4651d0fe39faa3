import re
from collections import Counter

import torch

TOKEN = re.compile(r"[a-z0-9]+")


def read_tsv(path):
    with open(path, encoding="utf-8") as f:
        next(f)
        pairs = [line.rstrip("\n").split("\t", 1) for line in f]
    return [p[0] for p in pairs], [p[1].lower() for p in pairs]


class BagOfWords:
    def __init__(self, min_count=1):
        self.min_count = min_count

    def fit(self, texts):
        counts = Counter(t for s in texts for t in set(TOKEN.findall(s)))
        self.vocab = {w: i for i, w in enumerate(sorted(w for w, c in counts.items() if c >= self.min_count))}
        return self

    def transform(self, texts):
        out = torch.zeros(len(texts), len(self.vocab))
        for row, s in enumerate(texts):
            for tok in TOKEN.findall(s):
                if tok in self.vocab:
                    out[row, self.vocab[tok]] += 1.0
        return out.sqrt()
