import json
from collections import Counter
from pathlib import Path

import torch
from torch.utils.data import Dataset

PAD, UNK = 0, 1


def read_jsonl(path):
    with open(path) as fh:
        return [json.loads(line) for line in fh]


class Vocabulary:
    def __init__(self, texts, min_count=2):
        counts = Counter(w for t in texts for w in t.split())
        words = sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i + 2 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, text, max_len):
        ids = [self.index.get(w, UNK) for w in text.split()][:max_len]
        return ids + [PAD] * (max_len - len(ids))


class TicketDataset(Dataset):
    def __init__(self, rows, vocab, queues, max_len):
        self.x = torch.tensor([vocab.encode(r["text"], max_len) for r in rows])
        self.y = torch.tensor([queues.index(r["queue"]) for r in rows])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def build(cfg):
    root = Path(cfg["data_dir"])
    train_rows = read_jsonl(root / "train.jsonl")
    dev_rows = read_jsonl(root / "dev.jsonl")
    queues = sorted({r["queue"] for r in train_rows})
    vocab = Vocabulary(r["text"] for r in train_rows)
    return (
        TicketDataset(train_rows, vocab, queues, cfg["max_len"]),
        TicketDataset(dev_rows, vocab, queues, cfg["max_len"]),
        vocab,
        queues,
    )
