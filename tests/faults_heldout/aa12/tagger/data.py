import json

import torch


def load(path, max_len=24):
    rows = json.load(open(path))
    tags = sorted({t for r in rows for t in r["tags"]})
    words = sorted({w for r in rows for w in r["title"].split()})
    stoi = {w: i + 1 for i, w in enumerate(words)}
    ids = torch.zeros(len(rows), max_len, dtype=torch.long)
    target = torch.zeros(len(rows), len(tags))
    for n, r in enumerate(rows):
        seq = [stoi[w] for w in r["title"].split()][:max_len]
        ids[n, : len(seq)] = torch.tensor(seq)
        for t in r["tags"]:
            target[n, tags.index(t)] = 1.0
    return ids, target, tags, len(words) + 1
