import torch
from torch.nn.utils.rnn import pad_sequence

TAGS = ["O", "PER", "LOC", "ORG"]


def read(path):
    sents, cur = [], []
    for line in open(path):
        line = line.strip()
        if line:
            cur.append(line.split("\t"))
        elif cur:
            sents.append(cur)
            cur = []
    return sents


def vocabulary(sents):
    vocab = {"<pad>": 0, "<unk>": 1}
    for s in sents:
        for w, _ in s:
            vocab.setdefault(w, len(vocab))
    return vocab


def encode(sents, vocab):
    return [(torch.tensor([vocab.get(w, 1) for w, _ in s]), torch.tensor([TAGS.index(t) for _, t in s])) for s in sents]


def collate(batch):
    words = pad_sequence([w for w, _ in batch], batch_first=True, padding_value=0)
    tags = pad_sequence([t for _, t in batch], batch_first=True, padding_value=0)
    lengths = torch.tensor([len(w) for w, _ in batch])
    return words, tags, lengths
