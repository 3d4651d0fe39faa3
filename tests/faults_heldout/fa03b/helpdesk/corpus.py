import csv
import re
from collections import Counter

import torch

TOKEN = re.compile(r"[a-z0-9']+")


def read_tsv(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh, delimiter="\t"))
    return [r["text"] for r in rows], [r["queue"] for r in rows]


def tokenize(text):
    return TOKEN.findall(text.lower())


class Vocabulary:
    def __init__(self, texts, min_count=2):
        counts = Counter(t for text in texts for t in tokenize(text))
        self.index = {"<unk>": 0}
        for word, n in counts.most_common():
            if n >= min_count:
                self.index[word] = len(self.index)

    def __len__(self):
        return len(self.index)

    def encode(self, text):
        return [self.index.get(t, 0) for t in tokenize(text)]


class Collator:
    """Flat token list + offsets, the format nn.EmbeddingBag wants."""

    def __init__(self, vocab, queues):
        self.vocab = vocab
        self.queue_id = {q: i for i, q in enumerate(queues)}

    def __call__(self, samples):
        flat, offsets, target = [], [], []
        for text, queue in samples:
            offsets.append(len(flat))
            flat.extend(self.vocab.encode(text))
            target.append(self.queue_id[queue])
        return torch.tensor(flat), torch.tensor(offsets), torch.tensor(target)
