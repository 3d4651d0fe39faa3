import json

import torch
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, path, vocab=None, labels=None, max_len=12):
        rows = [json.loads(line) for line in path.read_text().splitlines() if line]
        self.vocab = vocab or self.build(r["text"] for r in rows)
        self.labels = labels or sorted({r["intent"] for r in rows})
        self.ids = torch.zeros(len(rows), max_len, dtype=torch.long)
        for k, r in enumerate(rows):
            ids = [self.vocab.get(w, 1) for w in r["text"].split()][:max_len]
            self.ids[k, : len(ids)] = torch.tensor(ids)
        self.target = torch.tensor([self.labels.index(r["intent"]) for r in rows])

    @staticmethod
    def build(texts):
        words = sorted({w for t in texts for w in t.split()})
        return {w: i + 2 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.target)

    def __getitem__(self, i):
        return self.ids[i], self.target[i]


def loaders(folder, opts):
    train = Utterances(folder / "train.jsonl")
    dev = Utterances(folder / "dev.jsonl", train.vocab, train.labels)
    return (DataLoader(train, batch_size=opts["batch_size"], shuffle=opts["shuffle"]),
            DataLoader(dev, batch_size=128), train)
