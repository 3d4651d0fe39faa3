import zlib

import torch


def ngrams(word, max_n):
    padded = f"^{word}$"
    for n in range(1, max_n + 1):
        for i in range(len(padded) - n + 1):
            yield padded[i:i + n]


def hash_word(word, max_n, buckets):
    return [zlib.crc32(g.encode()) % buckets for g in ngrams(word, max_n)]


class HashedWords:
    """Words as bags of hashed character n-grams."""

    def __init__(self, rows, languages, max_n, buckets):
        self.bags = [torch.tensor(hash_word(w, max_n, buckets)) for w, _ in rows]
        self.labels = torch.tensor([languages.index(lang) for _, lang in rows])

    def __len__(self):
        return len(self.labels)

    def batch(self, indices):
        bags = [self.bags[i] for i in indices.tolist()]
        offsets = torch.tensor([0] + [len(b) for b in bags[:-1]]).cumsum(0)
        return torch.cat(bags), offsets, self.labels[indices]


def load_words(cfg, seed):
    with open(cfg["path"], encoding="utf-8") as fh:
        rows = [tuple(line.rstrip("\n").split("\t")) for line in fh]
    languages = sorted({lang for _, lang in rows})
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(seed)).tolist()
    cut = int(len(rows) * cfg["val_fraction"])
    make = lambda idx: HashedWords([rows[i] for i in idx], languages, cfg["max_ngram"], cfg["buckets"])
    return make(order[cut:]), make(order[:cut]), languages
