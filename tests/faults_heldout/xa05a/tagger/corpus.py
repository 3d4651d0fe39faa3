import json

import torch


class Corpus:
    def __init__(self, path, val_share=0.2):
        raw = json.loads(path.read_text())
        self.tags = raw["tags"]
        words = sorted({w for note in raw["notes"] for w in note["text"].split()})
        self.index = {w: i for i, w in enumerate(words)}
        docs = [torch.tensor([self.index[w] for w in note["text"].split()]) for note in raw["notes"]]
        y = torch.zeros(len(docs), len(self.tags))
        for i, note in enumerate(raw["notes"]):
            for t in note["tags"]:
                y[i, self.tags.index(t)] = 1.0
        n = int(len(docs) * (1 - val_share))
        self.train, self.val = (docs[:n], y[:n]), (docs[n:], y[n:])


def collate(docs):
    offsets = torch.tensor([0] + [len(d) for d in docs[:-1]]).cumsum(0)
    return torch.cat(docs), offsets
