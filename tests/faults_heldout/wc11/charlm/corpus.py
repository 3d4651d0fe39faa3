import os

import torch


class Corpus:
    def __init__(self, folder):
        train = open(os.path.join(folder, "text.train.txt")).read()
        valid = open(os.path.join(folder, "text.valid.txt")).read()
        self.chars = sorted(set(train) | set(valid))
        lookup = {c: i for i, c in enumerate(self.chars)}
        self.train = torch.tensor([lookup[c] for c in train])
        self.valid = torch.tensor([lookup[c] for c in valid])


def batchify(ids, batch):
    """One long id vector -> (steps, batch), each column a contiguous stretch of text."""
    n = len(ids) // batch
    return ids[:n * batch].view(batch, n).t().contiguous()


def get_batch(source, i, bptt):
    length = min(bptt, len(source) - 1 - i)
    return source[i:i + length], source[i + 1:i + 1 + length]
