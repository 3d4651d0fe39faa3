"""Hashed character n-grams."""
import zlib

import torch


def ngrams(text, sizes):
    padded = f"^{text}$"
    for n in sizes:
        for i in range(len(padded) - n + 1):
            yield padded[i:i + n]


def hash_vector(text, sizes, dim):
    v = torch.zeros(dim)
    for g in ngrams(text, sizes):
        v[zlib.crc32(g.encode("utf-8")) % dim] += 1.0
    return v / v.norm().clamp_min(1e-6)


def encode(texts, sizes=(1, 2, 3), dim=2048):
    return torch.stack([hash_vector(t, sizes, dim) for t in texts])
