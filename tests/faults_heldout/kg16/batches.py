import json
import random
import torch


class Reviews:
    def __init__(self, path):
        rows = [json.loads(line) for line in open(path)]
        random.Random(5).shuffle(rows)
        self.train, self.dev = rows[:2100], rows[2100:]
        words = sorted({w for r in self.train for w in r["text"].split()})
        self.vocab = {w: i + 2 for i, w in enumerate(words)}
        s = torch.tensor([r["score"] for r in self.train])
        self.mean, self.std = s.mean().item(), s.std().item()

    def __call__(self, rows, size, shuffle):
        rows = list(rows)
        if shuffle:
            random.shuffle(rows)
        for k in range(0, len(rows), size):
            yield self.pack(rows[k:k + size])

    def pack(self, rows):
        ids = [[self.vocab.get(w, 1) for w in r["text"].split()] for r in rows]
        width = max(map(len, ids))
        tokens = torch.zeros(len(ids), width, dtype=torch.long)
        for i, seq in enumerate(ids):
            tokens[i, :len(seq)] = torch.tensor(seq)
        target = (torch.tensor([r["score"] for r in rows]) - self.mean) / self.std
        return tokens, target
