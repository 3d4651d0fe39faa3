import torch


class Corpus:
    def __init__(self, path, frac=0.85):
        text = open(path).read()
        self.chars = sorted(set(text))
        self.index = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([self.index[c] for c in text])
        cut = int(len(ids) * frac)
        self.train, self.valid = ids[:cut], ids[cut:]

    def windows(self, part, n, length, gen=None):
        ids = getattr(self, part)
        at = torch.randint(len(ids) - length - 1, (n,), generator=gen)
        w = torch.stack([ids[a:a + length + 1] for a in at])
        return w[:, :-1], w[:, 1:]

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)
