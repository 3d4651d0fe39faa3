from pathlib import Path

import torch

ALPHABET = "abcdefghijklmnopqrstuvwxyz "


def encode(text, width):
    ids = [ALPHABET.index(c) + 1 for c in text[:width]]
    return ids + [0] * (width - len(ids))


def read(path: Path, width: int, langs=None):
    pairs = [line.rstrip("\n").split("|", 1) for line in path.open()]
    langs = langs or sorted({p[0] for p in pairs})
    x = torch.tensor([encode(p[1], width) for p in pairs])
    y = torch.tensor([langs.index(p[0]) for p in pairs])
    return x, y, langs
