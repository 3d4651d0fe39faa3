import json

import torch

PAD_TAG = -100


def read(path):
    with open(path, encoding="utf8") as fh:
        return [json.loads(line) for line in fh]


class Vocabulary:
    def __init__(self, sentences):
        words = sorted({w for s in sentences for w in s["tokens"]})
        self.word = {"<pad>": 0, "<unk>": 1, **{w: i + 2 for i, w in enumerate(words)}}
        self.tag = {t: i for i, t in enumerate(sorted({t for s in sentences for t in s["tags"]}))}

    def encode(self, s):
        return [self.word.get(w, 1) for w in s["tokens"]], [self.tag[t] for t in s["tags"]]


def collate(batch):
    n = max(len(w) for w, _ in batch)
    words = torch.zeros(len(batch), n, dtype=torch.long)
    tags = torch.full((len(batch), n), PAD_TAG, dtype=torch.long)
    for i, (w, t) in enumerate(batch):
        words[i, : len(w)] = torch.tensor(w)
        tags[i, : len(t)] = torch.tensor(t)
    return words, tags
