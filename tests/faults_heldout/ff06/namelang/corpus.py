import torch

ALPHABET = "_abcdefghijklmnopqrstuvwxyz"
MAXLEN = 14


def encode(word):
    ids = [ALPHABET.index(c) for c in word[:MAXLEN]]
    return ids + [0] * (MAXLEN - len(ids))


def read(path):
    words, tags = [], []
    for line in open(path, encoding="utf8"):
        w, t = line.rstrip("\n").split("\t")
        words.append(encode(w))
        tags.append(t)
    names = sorted(set(tags))
    return torch.tensor(words), torch.tensor([names.index(t) for t in tags]), names
