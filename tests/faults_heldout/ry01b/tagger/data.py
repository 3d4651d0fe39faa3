import json
from collections import Counter
from pathlib import Path

import torch


def read_jsonl(path):
    with open(path, encoding="utf-8") as fh:
        return [json.loads(line) for line in fh if line.strip()]


class Vocab:
    PAD, UNK = 0, 1

    def __init__(self, rows, min_count=2):
        counts = Counter(tok for row in rows for tok in row["tokens"])
        words = sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i + 2 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, tokens):
        return [self.index.get(t, self.UNK) for t in tokens]


class IngredientLines(torch.utils.data.Dataset):
    def __init__(self, rows, vocab, tags):
        self.items = [
            (vocab.encode(r["tokens"]), [tags[t] for t in r["tags"]]) for r in rows
        ]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Collator:
    """Pads every line to the same length so that the exported graph has static shapes."""

    def __init__(self, max_len, label_pad_id):
        self.max_len = max_len
        self.label_pad_id = label_pad_id

    def __call__(self, items):
        n = len(items)
        ids = torch.full((n, self.max_len), Vocab.PAD, dtype=torch.long)
        labels = torch.full((n, self.max_len), self.label_pad_id, dtype=torch.long)
        mask = torch.zeros(n, self.max_len, dtype=torch.bool)
        for row, (tok, tag) in enumerate(items):
            k = min(len(tok), self.max_len)
            ids[row, :k] = torch.tensor(tok[:k])
            labels[row, :k] = torch.tensor(tag[:k])
            mask[row, :k] = True
        return {"input_ids": ids, "mask": mask, "labels": labels}


def load(root, tags):
    root = Path(root)
    train, dev = read_jsonl(root / "train.jsonl"), read_jsonl(root / "dev.jsonl")
    vocab = Vocab(train)
    return IngredientLines(train, vocab, tags), IngredientLines(dev, vocab, tags), vocab
