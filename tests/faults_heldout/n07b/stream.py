import json
import zlib

import torch
from torch.utils.data import IterableDataset

N_BUCKETS = 4096
CATEGORIES = ["electronics", "garden", "kitchen", "toys", "clothing", "books"]
CAT_ID = {c: i for i, c in enumerate(CATEGORIES)}


def hash_features(title):
    words = title.lower().split()
    grams = words + [f"{a}_{b}" for a, b in zip(words, words[1:])]
    return [zlib.crc32(g.encode()) % N_BUCKETS for g in grams]


class TitleStream(IterableDataset):
    """Reads the catalogue export line by line, so that the big one fits too."""

    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path, encoding="utf-8") as f:
            for line in f:
                item = json.loads(line)
                yield hash_features(item["title"]), CAT_ID[item["category"]]


def collate(batch):
    feats, labels = zip(*batch)
    offsets = torch.tensor([0] + [len(f) for f in feats[:-1]]).cumsum(0)
    flat = torch.tensor([i for f in feats for i in f])
    return flat, offsets, torch.tensor(labels)
