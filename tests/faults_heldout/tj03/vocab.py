import re
from collections import Counter

TOKEN = re.compile(r"[a-z]+|\d+")


def tokenize(text):
    return ["<num>" if t.isdigit() else t for t in TOKEN.findall(text.lower())]


class Vocab:
    PAD, UNK = 0, 1

    def __init__(self, texts, min_count=2):
        counts = Counter(t for s in texts for t in tokenize(s))
        kept = sorted(t for t, c in counts.items() if c >= min_count)
        self.index = {t: i + 2 for i, t in enumerate(kept)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, text):
        return [self.index.get(t, self.UNK) for t in tokenize(text)]
