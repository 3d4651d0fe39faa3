import json
import random
from collections import Counter

import torch

PAD, UNK, CLS = 0, 1, 2


def read_reviews(path):
    with open(path) as fh:
        return [(d["text"].split(), d["label"]) for d in map(json.loads, fh)]


def build_vocab(samples, min_count=2):
    counts = Counter(tok for toks, _ in samples for tok in toks)
    vocab = {"<pad>": PAD, "<unk>": UNK, "<cls>": CLS}
    for tok, c in counts.most_common():
        if c >= min_count:
            vocab[tok] = len(vocab)
    return vocab


def numericalize(samples, vocab):
    return [([CLS] + [vocab.get(t, UNK) for t in toks], y) for toks, y in samples]


def collate(batch):
    width = max(len(ids) for ids, _ in batch)
    ids = torch.full((len(batch), width), PAD)
    for i, (seq, _) in enumerate(batch):
        ids[i, :len(seq)] = torch.tensor(seq)
    return ids, torch.tensor([y for _, y in batch])


def split(samples, fraction, seed):
    samples = list(samples)
    random.Random(seed).shuffle(samples)
    k = int(len(samples) * fraction)
    return samples[k:], samples[:k]
