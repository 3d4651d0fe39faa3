import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

IGNORE = -100


def read_columns(path):
    """token<TAB>tag lines, blank line between sentences"""
    sents, cur = [], []
    with open(path) as fh:
        for line in fh:
            line = line.strip()
            if line:
                cur.append(line.split("\t"))
            elif cur:
                sents.append(cur)
                cur = []
    if cur:
        sents.append(cur)
    return sents


def read_vectors(path):
    z = np.load(path)
    words = {w: i for i, w in enumerate(z["words"].tolist())}
    return words, torch.from_numpy(z["vectors"].astype(np.float32))


def encode(sents, words, tags):
    out = []
    for s in sents:
        ids = torch.tensor([words.get(t, words["<unk>"]) for t, _ in s])
        out.append((ids, torch.tensor([tags.index(g) for _, g in s])))
    return out


def iterate(data, size, shuffle):
    order = torch.randperm(len(data)).tolist() if shuffle else range(len(data))
    order = list(order)
    for i in range(0, len(order), size):
        part = [data[k] for k in order[i:i + size]]
        lengths = torch.tensor([len(x) for x, _ in part])
        x = pad_sequence([x for x, _ in part], batch_first=True)
        y = pad_sequence([y for _, y in part], batch_first=True, padding_value=IGNORE)
        yield x, lengths, y
