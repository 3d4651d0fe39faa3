import torch


class Corpus:
    def __init__(self, path, heldout=0.1):
        lines = open(path, encoding="utf-8").read().splitlines(keepends=True)
        cut = int(len(lines) * (1 - heldout))
        train, valid = "".join(lines[:cut]), "".join(lines[cut:])
        self.chars = sorted(set(train))
        self.index = {c: i for i, c in enumerate(self.chars)}
        self.train, self.valid = self.encode(train), self.encode(valid)

    def encode(self, text):
        return torch.tensor([self.index[c] for c in text])

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)

    def random_batch(self, size, context):
        starts = torch.randint(len(self.train) - context - 1, (size, 1))
        pos = starts + torch.arange(context + 1)
        chunk = self.train[pos]
        return chunk[:, :-1], chunk[:, 1:]

    @staticmethod
    def in_order(ids, size, context):
        n = (len(ids) - 1) // context
        x = ids[: n * context].view(n, context)
        y = ids[1 : n * context + 1].view(n, context)
        return zip(x.split(size), y.split(size))
