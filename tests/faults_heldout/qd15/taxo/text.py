import zlib

import torch

BUCKETS = 4096


def hashed(title):
    """Words and character trigrams, hashed into a fixed number of buckets."""
    grams = []
    for w in title.split():
        grams.append("w:" + w)
        padded = f"<{w}>"
        grams += [padded[i:i + 3] for i in range(len(padded) - 2)]
    return [zlib.crc32(g.encode()) % BUCKETS for g in grams]


def collate(rows):
    flat, offsets, labels = [], [], []
    for ids, label in rows:
        offsets.append(len(flat))
        flat += ids
        labels.append(label)
    return torch.tensor(flat), torch.tensor(offsets), torch.tensor(labels)
